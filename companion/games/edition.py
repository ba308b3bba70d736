"""A game with another box: its package made once more, from the same source, with other card data.

Rules are fast because what is printed in the box becomes tables when a game's modules are loaded. So a box
with other cards gets modules of its own, called `PACKAGE_EDITION`: all tables are made for it once, games
with different boxes stand side by side, and nothing changes under a game that is being played.

The module `owner` of a package says what its owner has entered: nothing as we ship it, and in an edition what
`make` was given.
"""

from __future__ import annotations

import ast
import json
import sys
import threading
from collections.abc import Sequence
from hashlib import sha256
from importlib import import_module
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import find_spec, spec_from_file_location
from types import CodeType, MappingProxyType, ModuleType
from typing import Any, NamedTuple

from companion.engine.facts import Values

OWNER = "owner"
"""The module of a package that holds what its owner has entered."""


class Edition(NamedTuple):
    """One game package with one owner's values."""

    package: str
    code: str
    values: Values

    @property
    def name(self) -> str:
        """The name of its own package."""
        return edition_name(self.package, self.code)


def edition_name(package: str, code: str) -> str:
    """The name of the package that an edition has; that of the game itself for the box as we ship it."""
    return f"{package}_{code}" if code else package


def make(package: str, values: Values) -> str:
    """Makes an edition known and returns the name of its package, ready to be imported.

    A package without the module `owner` knows no other box.
    """
    if not values or find_spec(f"{package}.{OWNER}") is None:
        return package
    text = json.dumps(sorted(values.items()), ensure_ascii=False)
    edition = Edition(package, sha256(text.encode()).hexdigest()[:12], MappingProxyType(dict(values)))
    with _FINDER.lock:
        _FINDER.editions.setdefault(edition.name, edition)
        if _FINDER not in sys.meta_path:
            # Before the usual ones, which would find the files with the imports as they are written.
            sys.meta_path.insert(0, _FINDER)
    return edition.name


def forget(name: str) -> None:
    """Drops the modules of an edition; a game that is played with it keeps them as long as it lasts."""
    for module in [one for one in sys.modules if one == name or one.startswith(f"{name}.")]:
        del sys.modules[module]


def load_module(package: str, module: str = "") -> ModuleType:
    """Imports a package or one of its modules, also of an edition."""
    return import_module(f"{package}.{module}" if module else package)


class _Finder(MetaPathFinder):
    """Finds the modules of editions."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.editions: dict[str, Edition] = {}

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        for edition in self.editions.values():
            if fullname == edition.name or fullname.startswith(f"{edition.name}."):
                source = find_spec(edition.package + fullname.removeprefix(edition.name))
                if source is None or source.origin is None:
                    return None
                return spec_from_file_location(
                    fullname,
                    source.origin,
                    loader=_Loader(fullname, source.origin, edition),
                    submodule_search_locations=source.submodule_search_locations,
                )
        return None


class _Loader(SourceFileLoader):
    """Runs a module's source with the imports of its own package turned to the edition's."""

    def __init__(self, fullname: str, path: str, edition: Edition) -> None:
        super().__init__(fullname, path)
        self._edition = edition

    def get_code(self, fullname: str) -> CodeType:
        """Compiles the source; nothing is kept on the disk, where the game's own code is."""
        path = self.get_filename(fullname)
        tree = ast.parse(self.get_data(path), path)
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                node.module = self._turned(node.module)
            elif isinstance(node, ast.Import):
                for one in node.names:
                    one.name = self._turned(one.name)
        code: Any = compile(tree, path, "exec", dont_inherit=True)
        return code  # type: ignore[no-any-return]

    def exec_module(self, module: ModuleType) -> None:
        """Runs the module; `owner` gets the edition's values."""
        super().exec_module(module)
        if module.__name__ == f"{self._edition.name}.{OWNER}":
            vars(module).update(VALUES=self._edition.values, EDITION=self._edition.code)

    def _turned(self, name: str) -> str:
        package = self._edition.package
        if name == package or name.startswith(f"{package}."):
            return self._edition.name + name.removeprefix(package)
        return name


_FINDER = _Finder()
