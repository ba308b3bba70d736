"""The small faults that can be put into a module: found in its syntax tree, spliced into its text.

The text outside a fault stays as it is, so a report can show the line as it was and as it became. Nothing is
changed in annotations, decorators, assertions, docstrings and formatted strings: a fault there says nothing
about a rule.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

FLIPS: dict[type[ast.cmpop], tuple[str, ...]] = {
    ast.Lt: ("<=", ">="),
    ast.LtE: ("<", ">"),
    ast.Gt: (">=", "<="),
    ast.GtE: (">", "<"),
    ast.Eq: ("!=",),
    ast.NotEq: ("==",),
    ast.In: ("not in",),
    ast.NotIn: ("in",),
    ast.Is: ("is not",),
    ast.IsNot: ("is",),
}
COMPARISON = re.compile(r"<=|>=|==|!=|<|>|\bnot\s+in\b|\bin\b|\bis\s+not\b|\bis\b")
SWAPS = {"min": "max", "max": "min"}
Function = (ast.FunctionDef, ast.AsyncFunctionDef)
Atom = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)
"""What `+ 1` can follow without brackets."""


class Fault(NamedTuple):
    """One change of a module's text: what stood in bytes `start` to `end` becomes `new`."""

    line: int
    start: int
    end: int
    kind: str
    new: str

    def applied(self, text: str) -> str:
        """The module with the fault in it, all other lines where they were."""
        source = text.encode()
        gone = source[self.start : self.end].count(b"\n") - self.new.count("\n")
        return (source[: self.start] + self.new.encode() + b"\n" * gone + source[self.end :]).decode()

    def lines(self, text: str) -> tuple[str, str]:
        """The line, or the lines in one, as it was and as it becomes."""
        source = text.encode()
        first = source.rfind(b"\n", 0, self.start) + 1
        last = source.find(b"\n", self.end)
        last = len(source) if last < 0 else last
        after = source[first : self.start] + self.new.encode() + source[self.end : last]
        return _joined(source[first:last]), _joined(after)


def _joined(lines: bytes) -> str:
    return " ".join(lines.decode().split())


def faults(text: str) -> list[Fault]:
    """Every fault that can be put into a module, in the order of its text."""
    return sorted(set(_Finder(text).module()))


class _Finder:
    """Walks a module's tree and knows where in the text each node is."""

    def __init__(self, text: str) -> None:
        self._tree = ast.parse(text)
        self._source = text.encode()
        self._starts = [0]
        for line in self._source.splitlines(keepends=True):
            self._starts.append(self._starts[-1] + len(line))

    def module(self) -> Iterator[Fault]:
        for node in self._tree.body:
            yield from self._walk(node, None)

    def _walk(self, node: ast.AST, function: ast.AST | None) -> Iterator[Fault]:
        """The faults in a node and below it; `function` is the innermost one around it."""
        if isinstance(node, ast.Assert | ast.JoinedStr | ast.Import | ast.ImportFrom) or _is_docstring(node):
            return
        if isinstance(node, ast.stmt) and function is not None:
            yield from self._statement(node, function)
        yield from self._expression(node)
        inner = node if isinstance(node, Function) else function
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns", "decorator_list"):
                continue
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from self._walk(child, inner)

    # Statements

    def _statement(self, node: ast.stmt, function: ast.AST) -> Iterator[Fault]:
        if _is_worth_deleting(node, function):
            yield self._fault(node, "delete", "pass")
        if isinstance(node, ast.Return) and not _is_none(node.value) and _can_refuse(function):
            yield self._fault(node, "allow", "return None")

    # Expressions

    def _expression(self, node: ast.AST) -> Iterator[Fault]:
        match node:
            case ast.Constant(value=bool()):
                yield self._fault(node, "bool", str(not node.value))
            case ast.Constant(value=int(number)):
                yield self._fault(node, "number", str(number + 1))
                yield self._fault(node, "number", str(number - 1))
            case ast.Compare():
                yield from self._comparisons(node)
            case ast.BoolOp():
                old, new = ("and", "or") if isinstance(node.op, ast.And) else ("or", "and")
                for left, right in zip(node.values, node.values[1:], strict=False):
                    yield from self._between(left, right, rf"\b{old}\b", "and/or", new)
            case ast.UnaryOp(op=ast.Not()):
                yield from self._within(
                    self._start(node), self._start(node.operand), r"\bnot\b\s*", "not", "", node.lineno
                )
            case ast.Call(func=ast.Name(id="min" | "max")):
                assert isinstance(node.func, ast.Name)
                yield self._fault(node.func, "min/max", SWAPS[node.func.id])
            case ast.Call(func=ast.Name(id="range"), args=[*arguments]) if arguments:
                yield from self._range(arguments[:2][-1])

    def _comparisons(self, node: ast.Compare) -> Iterator[Fault]:
        sides = [node.left, *node.comparators]
        for left, operator, right in zip(sides, node.ops, sides[1:], strict=False):
            for new in FLIPS[type(operator)]:
                yield from self._between(left, right, COMPARISON.pattern, "comparison", new)

    def _range(self, bound: ast.expr) -> Iterator[Fault]:
        """One more and one fewer; a bound that is a number is changed as a number already."""
        if isinstance(bound, ast.Constant | ast.Starred):
            return
        text = self._source[self._start(bound) : self._end(bound)].decode()
        text = text if isinstance(bound, Atom) else f"({text})"
        for change in ("+ 1", "- 1"):
            yield self._fault(bound, "range", f"{text} {change}")

    # Places in the text

    def _start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def _end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def _fault(self, node: ast.expr | ast.stmt, kind: str, new: str) -> Fault:
        return Fault(node.lineno, self._start(node), self._end(node), kind, new)

    def _between(self, left: ast.expr, right: ast.expr, old: str, kind: str, new: str) -> Iterator[Fault]:
        """A change of the operator between two operands: the tree does not say where it stands."""
        assert left.end_lineno is not None
        yield from self._within(self._end(left), self._start(right), old, kind, new, left.end_lineno)

    def _within(self, start: int, end: int, old: str, kind: str, new: str, line: int) -> Iterator[Fault]:
        found = re.search(old.encode(), self._source[start:end])
        if found is not None:
            line += self._source[start : start + found.start()].count(b"\n")
            yield Fault(line, start + found.start(), start + found.end(), kind, new)


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _is_none(value: ast.expr | None) -> bool:
    return value is None or (isinstance(value, ast.Constant) and value.value is None)


def _can_refuse(function: ast.AST) -> bool:
    """Whether None means 'allowed': a `can_`, or whatever else returns a refusal."""
    assert isinstance(function, Function)
    return function.name.startswith("can_") or (
        function.returns is not None and "Refusal" in ast.unparse(function.returns)
    )


def _is_worth_deleting(node: ast.stmt, function: ast.AST) -> bool:
    """Whether the program goes on without the statement; a name that is missing then would prove nothing."""
    match node:
        case ast.Return():
            assert isinstance(function, Function)
            return not (_is_none(node.value) and node is function.body[-1])
        case ast.Assign():
            return all(isinstance(target, ast.Attribute | ast.Subscript) for target in node.targets)
        case ast.Expr() | ast.AugAssign() | ast.Delete() | ast.Raise() | ast.Break() | ast.Continue():
            return True
    return False
