"""A second model of the march of Bad Bones, written from the rulebook for the tests alone.

It is slow and obvious: skeletons are objects with names and coordinates, every move is followed step by step,
and nothing is shared with the engine but the file of what is printed on the boards. Cells are (column, row)
from (1, 1) at the far left; forest spots are an edge's letter and a number, `L3`.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from companion.games.bad_bones.printed import FILE

Cell = tuple[int, int]
STEP = {"up": (0, -1), "right": (1, 0), "down": (0, 1), "left": (-1, 0)}
LETTER = {"U": "up", "R": "right", "D": "down", "L": "left"}
INTO_FIELD = {"L": "right", "T": "down", "R": "left", "B": "up"}
CHOICE = Callable[[str, str, Any, Sequence[Any]], Any]
"""What the owner chooses: kind of choice, who leads, where, among what."""


@dataclass(eq=False)
class Skeleton:
    """One token."""

    name: str
    at: Cell | str
    facing: str
    moved: bool = False
    leader: Skeleton | None = None

    @property
    def ability(self) -> str:
        return self.name.split("-")[0] if "-" in self.name else ""

    @property
    def symbol(self) -> str:
        """Symbol and edge, as `GL`."""
        return self.name.split("-")[1] if "-" in self.name else self.name


@dataclass
class Board:
    """One player's board, and what left it."""

    coop: bool
    players: int
    neighbours: dict[str, int]
    """Who sits beyond the left and the right edge."""
    skeletons: list[Skeleton]
    traps: dict[Cell, tuple[str, bool]]
    """Form and whether the damaged side is up, by cell."""
    hero: Cell | None
    towers: set[Cell]
    floors: int
    houses: int
    colour: str
    """The face that unmoved tokens show."""
    sent: Counter[tuple[int, str]] = field(default_factory=Counter)
    """Who lies on which cemetery."""
    bagged: Counter[str] = field(default_factory=Counter)
    boxed: list[str] = field(default_factory=list)
    fallen: bool = False
    conquered: bool = False
    hearses: Counter[int] = field(default_factory=Counter)
    """How many hearses are in each supply; a team has one supply, here that of seat 0."""

    def __post_init__(self) -> None:
        box = json.loads(FILE.read_text("utf-8"))
        self.in_the_box = [symbol + edge for symbol in "GBRYP" for edge in "LTR"]
        self.in_the_box += [f"{one['ability']}-{one['type']}" for one in box["commanders"]]
        printed = box["sides"]["coop" if self.coop else "standard"]
        self.bases = {tuple(cell) for cell in printed["towers"]["value"]}
        self.arrows = {
            (tuple(arrow["cell"]), LETTER[arrow["in"]]): LETTER[arrow["out"]]
            for arrow in (*printed["arrows"], *printed["ruin_arrows"])
            if arrow["enabled"]
        }
        self.symbols = {
            edge[0].upper(): printed["edges"][edge]["symbols"]["value"] for edge in printed["edges"]
        }
        self.full_floors = len(self.bases) if self.coop else 4
        self.full_houses = self.players if self.coop else 5
        self.others = list(range(1, self.players))

    def beside(self, cell: Cell, direction: str) -> Cell:
        dx, dy = STEP[direction]
        return cell[0] + dx, cell[1] + dy

    def on(self, cell: Cell) -> list[Skeleton]:
        return [one for one in self.skeletons if one.at == cell]

    def trap(self, cell: Cell) -> str:
        """The trap that lies on a cell; a crater is none."""
        form, worn = self.traps.get(cell, ("", False))
        return "" if form == "dynamite" and worn else form

    def lure(self, cell: Cell) -> str:
        """The direction to a treasure beside the cell, or nothing."""
        for direction in STEP:
            if self.trap(self.beside(cell, direction)) == "treasure":
                return direction
        return ""


def is_outside(cell: Cell) -> bool:
    return not (1 <= cell[0] <= 5 and 1 <= cell[1] <= 5)


class March:
    """«Передвиньте скелеты»: every skeleton of a board moves once, in an order that its owner chooses."""

    def __init__(self, board: Board, rank: Callable[[Skeleton], Any], choose: CHOICE) -> None:
        self.board, self.rank, self.choose = board, rank, choose
        self.used: set[Cell] = set()
        """Traps that acted on somebody."""
        self.sabotaged: set[Cell] = set()
        self.saboteurs: set[str] = set()
        self.targets: dict[Cell, int] = {}
        self.slain: list[str] = []

    def run(self) -> None:
        board = self.board
        while not board.conquered:
            free = [one for one in board.skeletons if not one.moved and one.leader is None]
            if not free:
                break
            self.move(max(free, key=self.rank))
        if not board.conquered:
            self.settle()

    # One move ----------------------------------------------------------------------------------

    def move(self, leader: Skeleton) -> None:
        """An instructor takes along all unmoved skeletons of his cell, and those who are his already."""
        board, group = self.board, [leader]
        if leader.ability == "instructor":
            together = [one for one in board.skeletons if one.at == leader.at and not one.moved]
            if isinstance(leader.at, str):
                together = [one for one in together if one.leader is leader]
            group += sorted([one for one in together if one is not leader], key=self.place_in_the_box)
            for one in group[1:]:
                one.leader = leader
        for one in group:
            one.moved, one.facing = True, leader.facing
        for one in board.skeletons:
            if one.leader in group[1:]:
                one.leader = leader
        self.walk(leader, group)
        self.dissolve()

    def place_in_the_box(self, one: Skeleton) -> int:
        """The book does not say in which order a squad burns and rebuilds: the leader first, then by kind."""
        return self.board.in_the_box.index("-".join(one.name.split("-")[:2]))

    def dissolve(self) -> None:
        """A squad is one as long as its instructor is there."""
        for one in self.board.skeletons:
            if one.leader is not None and (one.leader not in self.board.skeletons or one.leader.at != one.at):
                one.leader = None

    def walk(self, leader: Skeleton, group: list[Skeleton]) -> None:
        board, direction = self.board, leader.facing
        if isinstance(leader.at, str):
            cell = self.first_cell(leader.at)
        else:
            if board.trap(leader.at).startswith("maze-") and board.trap(leader.at) != f"maze-{board.colour}":
                return None
            cell = board.beside(leader.at, direction)
        self.entered: list[tuple[Cell, str, bool]] = []
        self.fled: list[tuple[Cell, str]] = []
        self.last = leader.at
        flying = fleeing = False
        while True:
            if is_outside(cell):
                return self.leave(leader, group, direction)
            trap = board.trap(cell)
            if trap == "palisade":
                self.trigger(group, cell)
                return self.die(group) if flying else None
            if cell in board.towers:
                return self.reach_tower(leader, group, cell, direction)
            if cell == board.hero:
                return self.strike(group)
            if (cell, direction, flying) in self.entered:
                return self.stand(group, cell, direction)
            self.entered.append((cell, direction, flying))
            if board.lure(cell):
                return self.stand(group, cell, board.lure(cell))
            self.last = cell
            if not trap:
                return self.stand(
                    group, cell, direction if fleeing else board.arrows.get((cell, direction), direction)
                )
            if trap == "treasure" or trap.startswith("maze"):
                self.note_sabotage(group, cell)
                return self.stand(group, cell, direction)
            self.trigger(group, cell)
            if trap in ("wall/", "wall\\"):
                direction = self.bounced(trap, direction)
                cell, flying, fleeing = board.beside(cell, direction), False, False
            elif trap == "spring":
                cell, flying, fleeing = self.thrown(cell, direction), True, False
            elif trap == "dragon":
                options = self.ways_from_dragon(cell)
                if not options:
                    return None
                direction = options[0]
                if len(options) > 1:
                    direction = self.choose("scatter", leader.name, cell, options)
                self.fled.append((cell, direction))
                cell, flying, fleeing = board.beside(cell, direction), False, True
            elif trap == "portal":
                return self.stand_in_forest(leader, group)
            elif trap == "dynamite":
                return self.die(group)
            else:
                assert trap in ("catapult", "hearse"), trap
                if cell not in self.targets:
                    self.targets[cell] = self.receiver(cell)
                return self.send(group, self.targets[cell])

    def first_cell(self, spot: str) -> Cell:
        n = int(spot[1])
        return {"L": (1, n), "R": (5, n), "T": (n, 1), "B": (n, 5)}[spot[0]]

    def bounced(self, wall: str, direction: str) -> str:
        """«Меняют направление движения на 90°, как бы отскакивая от диагональной стены.»"""
        dx, dy = STEP[direction]
        new = (-dy, -dx) if wall == "wall/" else (dy, dx)
        return next(name for name, step in STEP.items() if step == new)

    def thrown(self, cell: Cell, direction: str) -> Cell:
        """«Перекидывает их ещё на две клетки в направлении их движения.»"""
        over = self.board.beside(cell, direction)
        return over if is_outside(over) else self.board.beside(over, direction)

    def ways_from_dragon(self, cell: Cell) -> list[str]:
        goal = "up" if self.board.coop else "down"
        found = []
        for direction in STEP:
            to = self.board.beside(cell, direction)
            if (cell, direction) in self.fled or self.board.trap(to) == "palisade":
                continue
            if not (is_outside(to) and direction == goal):
                found.append(direction)
        return found

    # Traps -------------------------------------------------------------------------------------

    def trigger(self, group: list[Skeleton], cell: Cell) -> None:
        self.used.add(cell)
        self.note_sabotage(group, cell)

    def note_sabotage(self, group: list[Skeleton], cell: Cell) -> None:
        names = {one.name for one in group if one.ability == "saboteur"}
        if names:
            self.sabotaged.add(cell)
            self.saboteurs |= names

    # Ends of a move ----------------------------------------------------------------------------

    def remove(self, group: list[Skeleton]) -> None:
        for one in group:
            self.board.skeletons.remove(one)

    def die(self, group: list[Skeleton]) -> None:
        """Back to the bag; a ghost comes back to the own cemetery."""
        self.remove(group)
        for one in group:
            self.bury(one.name)

    def bury(self, name: str) -> None:
        if name.startswith("ghost"):
            self.board.sent[0, name] += 1
        else:
            self.board.bagged[name] += 1

    def send(self, group: list[Skeleton], target: int) -> None:
        self.remove(group)
        for one in group:
            self.board.sent[target, one.name] += 1

    def receiver(self, where: Any) -> int:
        others = self.board.others
        return others[0] if len(others) == 1 else self.choose("send", "", where, others)

    def strike(self, group: list[Skeleton]) -> None:
        """The hero destroys them; the emperor goes to the box and takes the hero along."""
        self.remove(group)
        for one in group:
            if one.ability == "emperor":
                self.board.boxed.append(one.name)
                self.board.hero = None
            else:
                self.slain.append(one.name)

    def stand(self, group: list[Skeleton], cell: Cell, facing: str) -> None:
        board = self.board
        is_ruin = cell in board.bases and board.coop
        is_empty = not board.on(cell) and cell not in board.traps
        if is_ruin and is_empty and [one.ability for one in group] == ["peacemaker"]:
            board.towers.add(cell)
            board.floors += 1
            return self.die(group)
        for one in group:
            one.at, one.facing = cell, facing
        return None

    def stand_in_forest(self, leader: Skeleton, group: list[Skeleton]) -> None:
        """«Возвращается на свою первоначальную позицию у кромки леса»: the whole squad to its leader's."""
        symbol, edge = leader.symbol
        edge = "B" if edge == "T" and self.board.coop else edge
        spot = f"{edge}{self.board.symbols[edge].index(symbol) + 1}"
        for one in group:
            one.at, one.facing = spot, INTO_FIELD[edge]

    def leave(self, leader: Skeleton, group: list[Skeleton], direction: str) -> None:
        board = self.board
        if direction in ("left", "right"):
            return self.send(group, board.neighbours[direction])
        if direction == ("up" if board.coop else "down"):
            return self.reach_houses(group)
        return self.send(group, self.receiver(self.last))

    def reach_houses(self, group: list[Skeleton]) -> None:
        board = self.board
        for one in group:
            if one.ability == "emperor":
                board.conquered = True
            elif one.ability == "peacemaker":
                board.houses = min(board.full_houses, board.houses + 1)
            else:
                board.houses = max(0, board.houses - (2 if one.ability == "sapper" else 1))
                board.fallen |= board.houses == 0
        self.die(group)

    def reach_tower(self, leader: Skeleton, group: list[Skeleton], cell: Cell, direction: str) -> None:
        if self.board.coop:
            return self.reach_one_of_four(leader, group, cell, direction)
        board = self.board
        for one in group:
            if one.ability == "emperor":
                board.conquered = True
            elif one.ability == "peacemaker":
                board.floors = min(board.full_floors, board.floors + 1)
            else:
                board.floors = max(0, board.floors - (2 if one.ability == "sapper" else 1))
                board.fallen |= board.floors == 0
        return self.die(group)

    def reach_one_of_four(self, leader: Skeleton, group: list[Skeleton], cell: Cell, direction: str) -> None:
        """«Каждая башня останавливает только один скелет! … вы можете выбрать, какой из скелетов убрать.»"""
        board, left = self.board, group[:]
        while left and cell in board.towers:
            names = sorted({one.name for one in left})
            name = names[0] if len(names) == 1 else self.choose("give-up", "", cell, names)
            victim = next(one for one in left if one.name == name)
            left.remove(victim)
            self.die([victim])
            if victim.ability == "emperor":
                board.conquered = True
            if victim.ability != "peacemaker":
                board.towers.remove(cell)
                board.floors -= 1
                board.fallen |= board.floors == 0
        if left and cell == board.hero:
            return self.strike(left)
        facing = board.lure(cell) or board.arrows.get((cell, direction), direction)
        for one in left:
            one.at, one.facing = cell, facing
        return None

    # The end of the phase ----------------------------------------------------------------------

    def settle(self) -> None:
        board = self.board
        self.sabotage()
        for cell in [cell for cell, (form, _) in board.traps.items() if form == "treasure"]:
            if board.on(cell):
                del board.traps[cell]
        for cell in self.used & board.traps.keys():
            form, worn = board.traps[cell]
            if form == "hearse":
                del board.traps[cell]
                board.hearses[0 if board.coop else self.targets[cell]] += 1
            elif worn:
                del board.traps[cell]
            else:
                board.traps[cell] = form, True
        for name in self.slain:
            self.bury(name)
        for one in board.skeletons:
            one.moved = False
        self.dissolve()
        board.colour = "black" if board.colour == "white" else "white"

    def sabotage(self) -> None:
        """«Диверсант уничтожает любую ловушку, на которую он наткнулся… Верните диверсанта в мешок.»"""
        board = self.board
        for cell in self.sabotaged:
            if board.traps[cell][0] != "dynamite":
                del board.traps[cell]
        board.skeletons = [one for one in board.skeletons if one.name not in self.saboteurs]
        self.slain = [name for name in self.slain if name not in self.saboteurs]
        for seat, name in list(board.sent):
            if name in self.saboteurs:
                del board.sent[seat, name]
        for name in self.saboteurs:
            board.bagged[name] = 1
