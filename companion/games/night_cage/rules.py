"""The rules of The Night Cage: set-up, drawing, the frame of a turn, staying.

What is still to be done lies in `todo`. Steps that need nobody run by themselves (`step_<name>`); the others
wait for a decision or for the table to draw.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from itertools import chain, compress
from typing import Any, ClassVar

from companion.engine.action import TABLE, Action, Cell, Seat, Verb, Words
from companion.engine.options import Options, Value
from companion.engine.state import Event, Need, Outcome, Refusal
from companion.games.night_cage.attacks import (
    BLIND,
    BLOCK,
    BURN,
    CELLS,
    COVER,
    FILL,
    GIVE,
    KEEP,
    LAND,
    REPLACE,
    SCRAMBLE,
    SCRAMBLE_TO,
    STAY,
    SUFFER,
)
from companion.games.night_cage.flickers import Flickers
from companion.games.night_cage.light import (
    BOARDS,
    CONNECTING,
    CRUMBLES,
    DIRECTIONS,
    DIRGE_PIT,
    EMPTY,
    IS_GATE,
    IS_MONSTER,
    KIND,
    OPEN,
    PASSING,
    PIT,
    Torus,
    code_of,
)
from companion.games.night_cage.pieces import (
    FIEND,
    KEEPER,
    KINDS,
    NAMES,
    NERVE_LIMIT,
    OMEN,
    PRISONERS,
    SQUARE,
    START,
    TURNS,
    read_outline,
    set_up,
)
from companion.games.night_cage.position import ORDER, Rules
from companion.games.night_cage.setups import LEADERS, colours_of

BEGIN = tuple(tuple(Action("start", (cell, turn)) for turn in range(4)) for cell in CELLS)
PUT = tuple(tuple(Action("put", (cell, turn)) for turn in range(4)) for cell in CELLS)
MOVE = tuple(Action("move", (cell,)) for cell in CELLS)
AGAIN = tuple(Action("again", (cell,)) for cell in CELLS)
CHARGE = tuple(Action("charge", (cell,)) for cell in CELLS)
LAND_ON = tuple(Action("land", (cell,)) for cell in CELLS)
RECEIVE = tuple(Action("receive", (prisoner,)) for prisoner in range(5))
STAY_HERE, REST, IDLE, END = Action("stay"), Action("rest"), Action("idle"), Action("end")
CONCEDE = Action("concede")
ROW, COLUMN = Action("fall", (0,)), Action("fall", (1,))
DRAW = tuple(Action("draw", (kind,)) for kind in range(KINDS))

TURN_OF = tuple(Event("turn", {"prisoner": prisoner}) for prisoner in PRISONERS)

DECISIONS = {
    "start": ("start",),
    "put": ("put",),
    "act": ("stay", "move", "charge", "rest", "idle", "give", "receive", "concede"),
    "again": ("again", "charge", "give", "receive", "end"),
    "block": ("block", "suffer"),
    "fall": ("fall",),
    "land": ("land",),
    "swap": ("replace",),
    "omen": ("replace",),
    "scramble": ("scramble",),
    "dirge": ("cover",),
    "handover": ("give", "keep"),
    "flicker": ("remove", "sustain"),
}
"""The steps that wait for a person, and with which verbs."""

_NEEDS = {step: tuple((Need(seat, verbs),) for seat in range(5)) for step, verbs in DECISIONS.items()}
_NEEDS["draw"] = ((Need(TABLE, ("draw",)),),) * 5

FACING = tuple(
    tuple((side,) if kind in (KEEPER, OMEN) else CONNECTING[kind][side ^ 2] for side in range(4))
    for kind in range(len(NAMES))
)
"""`FACING[kind][direction]`: the turns of a tile laid in that direction from the prisoner it is lit for."""


def _verbs(torus: Torus) -> dict[str, Verb]:
    cell = Words("cell", torus.grid.names)
    turn = Words("turn", ("0", "90", "180", "270"))
    prisoner = Words("prisoner", PRISONERS)
    return {
        "start": Verb(cell, turn),
        "draw": Verb(Words("tile", NAMES[:KINDS]), reveals=True),
        "put": Verb(cell, turn),
        "stay": Verb(),
        "move": Verb(cell),
        "again": Verb(cell),
        "charge": Verb(cell),
        "rest": Verb(),
        "idle": Verb(),
        "end": Verb(),
        "give": Verb(prisoner),
        "receive": Verb(prisoner),
        "keep": Verb(),
        "block": Verb(),
        "suffer": Verb(),
        "fall": Verb(Words("line", ("row", "column"))),
        "land": Verb(cell),
        "replace": Verb(cell),
        "scramble": Verb(cell),
        "cover": Verb(cell, turn),
        "remove": Verb(cell),
        "sustain": Verb(),
        "concede": Verb(),
    }


class NightCage(Flickers):
    """A game on a board of one size."""

    __slots__ = ()

    turn_rule = "NC-TURN-01"
    over_rule = "NC-END-01"
    _steps: ClassVar[dict[str, Callable[..., None]]] = {}

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        cls._steps = {name[5:]: getattr(cls, name) for name in dir(cls) if name.startswith("step_")}

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.todo = [("turn", 0)]
        self.todo.extend(("start", prisoner) for prisoner in reversed(range(rules.prisoners)))

    # Who acts, with what -----------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        if self.over is not None:
            return ()
        step = self.todo[-1]
        return _NEEDS[step[0]][self.seats[step[1]]]

    def actions(self, seat: Seat) -> list[Action]:
        if self.over is not None:
            return []
        step = self.todo[-1]
        name = step[0]
        if name == "draw":
            return [action for action, _ in self.outcomes()] if seat == TABLE else []
        if seat != self.seats[step[1]]:
            return []
        listed: list[Action] = _LISTS[name](self, *step[1:])
        return listed

    def outcomes(self) -> list[tuple[Action, int]]:
        if self.over is not None or self.todo[-1][0] != "draw":
            return []
        counts = self.top if self.surroundings else self.rest
        return [(DRAW[kind], n) for kind, n in enumerate(counts) if n]

    def outcome(self) -> Outcome | None:
        return self.over

    def _run(self, events: list[Event]) -> list[Event]:
        """Does what needs nobody, until somebody must act or the game is over."""
        todo, steps = self.todo, self._steps
        while self.over is None:
            step = todo[-1]
            do = steps.get(step[0])
            if do is not None:
                todo.pop()
                do(self, events, *step[1:])
            elif self.stack or -1 not in self.cells or not self._is_lost_falling():
                return events
            else:
                self._finish("lost-in-the-fall", "NC-END-05")
        events.append(Event("over", {"code": self.over.code}))
        return events

    # Set-up ------------------------------------------------------------------------------------

    def can_start(self, seat: Seat, cell: Cell, turn: int) -> Refusal | None:
        """NC-SETUP-17, -21, -22: any empty cell, any turn."""
        if self.tiles[cell] != EMPTY:
            return Refusal("cell-taken", (cell,), "NC-SETUP-17")
        return None

    def do_start(self, seat: Seat, cell: Cell, turn: int) -> list[Event]:
        prisoner = self.todo.pop()[1]
        self.turn = prisoner
        self._lay(cell, code_of(START, turn))
        self.cells[prisoner] = cell
        self.todo.append(("shine", 1 << prisoner))
        return self._run(
            [Event("started", {"prisoner": self.name(prisoner), "cell": cell, "turn": turn * 90})]
        )

    # Drawing -----------------------------------------------------------------------------------

    def can_draw(self, seat: Seat, kind: int) -> Refusal | None:
        """NC-TILE-09, NC-SETUP-23: the top tile is one of those that can still be there."""
        if not (self.top if self.surroundings else self.rest)[kind]:
            return Refusal("not-drawn", (), "NC-TILE-09")
        return None

    def do_draw(self, seat: Seat, kind: int) -> list[Event]:
        step = self.todo.pop()
        _, decider, why, prisoner, at = step
        if self.surroundings:
            self.top[kind] -= 1
            self.surroundings -= 1
        else:
            self.rest[kind] -= 1
        self.stack -= 1
        events = [Event("drew", {"tile": NAMES[kind], "why": why, "n": self.stack})]
        if kind == OMEN:
            self.omens += 1
            if self.omens == 1:
                self._lay_aside(events, step)
                return self._run(events)
        if why == STAY:
            self._stay_reveals(prisoner, kind)
        elif why == BURN:
            if kind == OMEN:
                self._hold(prisoner)
            else:
                self._burn_up(kind)
            self._burn(prisoner, at - 1)
        else:
            self.burnt = ()
            self.todo.append(("put", decider, why, kind, prisoner, at))
            return events
        return self._run(events)

    def _burn_up(self, kind: int) -> None:
        self._discard(code_of(kind))
        self._show_burnt(kind)

    def _hold(self, prisoner: int) -> None:
        """NC-BOSS-13: a burned Omen waits for its place on the board."""
        self.held = prisoner, self.cells[prisoner]
        self._show_burnt(OMEN)

    def _show_burnt(self, kind: int) -> None:
        if self.rules.shows_burnt:
            self.burnt += (kind,)

    def _lay_aside(self, events: list[Event], step: tuple[Any, ...]) -> None:
        """NC-BOSS-11: the first Omen lies beside the board and another tile is drawn in its place."""
        events.append(Event("omen-aside", {}))
        _, _, why, prisoner, _ = step
        if self.stack:
            self.todo.append(step)
        elif why == LAND:
            self._finish("lost-in-the-fall", "NC-END-05")
        elif why == SCRAMBLE:
            self.todo.append(("scrambling", prisoner))
        elif why == BLIND:
            self.todo.append(("more",) if self.moved else ("choose",))

    def can_put(self, seat: Seat, cell: Cell, turn: int) -> Refusal | None:
        _, _, why, kind, prisoner, at = self.todo[-1]
        here = self.cells[prisoner]
        if why == FILL:
            if not self.faced(prisoner) >> cell & 1:
                if self.tiles[cell] != EMPTY:
                    return Refusal("cell-taken", (cell,), "NC-LIGHT-12")
                return Refusal("cell-dark", (cell, here), "NC-LIGHT-11")
        elif cell != at:
            rule = {LAND: "NC-FALL-06", BLIND: "NC-MOVE-07", SCRAMBLE: "NC-SCR-04"}[why]
            return Refusal("cell-chosen", (cell, at), rule)
        if why != LAND and turn in FACING[kind][self.torus.towards[here][cell]]:
            return None
        if turn >= TURNS[kind]:
            return Refusal("same-turn", (cell,), "NC-TILE-01")
        if why == LAND:
            return None
        if kind == KEEPER:
            return Refusal("mouth-away", (cell, here), "NC-ADV-06")
        return Refusal("not-connected", (cell, here), "NC-TILE-10")

    def _list_put(self, decider: int, why: str, kind: int, prisoner: int, at: Cell) -> list[Action]:
        if why == LAND:
            return list(PUT[at][: TURNS[kind]])
        beside = self.torus.grid.beside[self.cells[prisoner]]
        facing = FACING[kind]
        if why != FILL:
            return [PUT[at][turn] for turn in facing[beside.index(at)]]
        faced = self.faced(prisoner)
        return [
            PUT[cell][turn]
            for direction, cell in enumerate(beside)
            if faced >> cell & 1
            for turn in facing[direction]
        ]

    def do_put(self, seat: Seat, cell: Cell, turn: int) -> list[Event]:
        _, _, why, kind, prisoner, _ = self.todo.pop()
        self._lay(cell, code_of(kind, turn))
        events = [Event("put", {"tile": NAMES[kind], "cell": cell, "turn": turn * 90})]
        if why == FILL:
            if kind == FIEND:
                self._fiend(events, cell)
            elif kind == OMEN:
                self.todo.append(("dirge", self.turn, cell))
            elif self.stack and self.faced(prisoner):
                self.todo.append(("draw", self.turn, FILL, prisoner, -1))
                return events
        elif why == LAND:
            self._come_down(events, prisoner, cell)
        elif why == BLIND:
            self._go(events, prisoner, cell)
        else:
            self._flee(events, prisoner, cell)
        return self._run(events)

    # The frame of a turn -----------------------------------------------------------------------

    def step_turn(self, events: list[Event], prisoner: int) -> None:
        """NC-TURN-01, -04: a prisoner's turn begins, with its landing if it falls."""
        self.turn = prisoner
        self.gained = self.moved = False
        self.key_from = ORDER[self.rules.prisoners][0]
        events.append(TURN_OF[self.rules.colours[prisoner]])
        if self.cells[prisoner] < 0:
            self.todo += (("choose",), ("landing",))
        else:
            self.step_choose(events)

    def step_choose(self, events: list[Event]) -> None:
        """NC-TURN-02, -05: the active prisoner acts, unless it fell again."""
        if self.cells[self.turn] < 0:
            self.todo.append(("end",))
        else:
            self._take_key(self.turn, events)
            self.todo.append(("act", self.turn))

    def _list_act(self, prisoner: int) -> list[Action]:
        here = self.cells[prisoner]
        beside = self.torus.grid.beside[here]
        sides, lit = OPEN[self.tiles[here]], self.candles >> prisoner & 1
        listed = [STAY_HERE] if lit else []
        nerve = self.nerve[prisoner]
        stuck = True
        for direction in DIRECTIONS[sides]:
            obstacle = self._obstacle(here, sides, direction, blind=not lit)
            if not obstacle:
                listed.append(MOVE[beside[direction]])
                stuck = False
            elif nerve and obstacle == "monster":
                listed.append(CHARGE[beside[direction]])
        if not lit:
            if nerve:
                listed.append(REST)
            elif stuck:
                listed.append(IDLE)
        if self.keys:
            listed += self._list_passes(prisoner)
        if self.flickers or self.rules.concede_any_turn:
            listed.append(CONCEDE)
        return listed

    def _list_passes(self, prisoner: int) -> list[Action]:
        return [
            action
            for other in self.joined_prisoners(prisoner)
            for action in (GIVE[self.rules.colours[other]], RECEIVE[self.rules.colours[other]])
            if self._against_passing(prisoner, other, action.verb == "give") is None
        ]

    def step_light(self, events: list[Event]) -> None:
        """NC-TURN-04 step 6, NC-CANDLE-08: sweep, draw, relight."""
        self.todo.append(("shine", self._fillers()))
        self._sweep(events)

    def step_sweep(self, events: list[Event]) -> None:
        self._sweep(events)

    def _fillers(self) -> int:
        """NC-LIGHT-18: those for whom the active player draws; everybody who lights a bare cell."""
        return (1 << self.rules.prisoners) - 1

    def step_shine(self, events: list[Event], fillers: int) -> None:
        """NC-LIGHT-11..15, NC-CANDLE-05..13: draws for one bare lit cell after the other, then relights."""
        if self.stack:
            burning, cells, bare = self.candles & fillers, self.cells, ~self.laid
            light, tiles = self.torus.light, self.tiles
            for prisoner in self.in_order():
                cell = cells[prisoner]
                # As `faced`, written out: this is asked more often than anything else.
                if cell >= 0 and burning >> prisoner & 1 and light[cell][OPEN[tiles[cell]]] & bare:
                    self.todo.append(("shine", fillers))
                    self.todo.append(("draw", self.turn, FILL, prisoner, -1))
                    return
        # Nothing is left to sweep (NC-LIGHT-10): what was drawn is lit, and falls sweep by themselves.
        relit = self._relit()
        if relit >= 0:
            self.candles |= 1 << relit
            events.append(Event("relit", {"prisoner": self.name(relit)}))
            self.todo.append(("shine", fillers | 1 << relit))

    def _relit(self) -> int:
        """The first dark prisoner who gets light from a connected one, or -1."""
        candles, cells = self.candles, self.cells
        if candles in (0, (1 << self.rules.prisoners) - 1):
            return -1
        burning = 0
        for prisoner, cell in enumerate(cells):
            if cell >= 0 and candles >> prisoner & 1:
                burning |= 1 << cell
        for prisoner in self.in_order():
            here = cells[prisoner]
            if here < 0 or candles >> prisoner & 1:
                continue
            if self.torus.light[here][OPEN[self.tiles[here]]] & burning and any(
                self._may_light(other, prisoner) for other in self.joined_prisoners(prisoner)
            ):
                return prisoner
        return -1

    def _may_light(self, lighter: int, dark: int) -> bool:
        own_turn = self.turn in (lighter, dark)
        return self.is_lit(lighter) and (own_turn or self.rules.relight_state_based)

    def step_more(self, events: list[Event]) -> None:
        """NC-NERVE-06, -07: after a move the prisoner may go on, or pass keys."""
        prisoner = self.turn
        self.moved = True
        if self.cells[prisoner] >= 0 and self._can_go_on(prisoner):
            self.todo.append(("again", prisoner))
        else:
            self.todo.append(("end",))

    def _can_go_on(self, prisoner: int) -> bool:
        """Says whether there is anything but ending the turn, which is then not worth a question."""
        if self.can_spend(prisoner):
            here = self.cells[prisoner]
            sides, blind = OPEN[self.tiles[here]], not self.is_lit(prisoner)
            passable = ("", "monster") if self.nerve[prisoner] > 1 else ("",)
            for direction in DIRECTIONS[sides]:
                if self._obstacle(here, sides, direction, blind=blind) in passable:
                    return True
        return bool(self.keys) and bool(self._list_passes(prisoner))

    def _list_again(self, prisoner: int) -> list[Action]:
        listed = [END]
        nerve = self.nerve[prisoner]
        if nerve and not self.gained:
            here = self.cells[prisoner]
            beside = self.torus.grid.beside[here]
            sides, lit = OPEN[self.tiles[here]], self.candles >> prisoner & 1
            for direction in DIRECTIONS[sides]:
                obstacle = self._obstacle(here, sides, direction, blind=not lit)
                if not obstacle:
                    listed.append(AGAIN[beside[direction]])
                elif nerve > 1 and obstacle == "monster":
                    listed.append(CHARGE[beside[direction]])
        if self.keys:
            listed += self._list_passes(prisoner)
        return listed

    def can_end(self, seat: Seat) -> Refusal | None:
        return None

    def do_end(self, seat: Seat) -> list[Event]:
        self.todo.pop()
        self.todo.append(("end",))
        return self._run([])

    def step_end(self, events: list[Event]) -> None:
        """NC-FLICKER-01..09: in the last flickers a tile goes at the end of every turn."""
        if not self.stack and self.rules.flicker_same_turn:
            self._begin_flickers(events)
        if not self.flickers:
            self.step_close(events)
            return
        self.todo.append(("close",))
        if self._removable() or (self.can_spend(self.turn) and self.occupied_mask()):
            self.todo.append(("flicker", self.turn))
        elif self.occupied_mask():
            self._finish("swallowed", "NC-END-06")

    def _begin_flickers(self, events: list[Event]) -> None:
        if not self.flickers:
            self.flickers = True
            events.append(Event("flickers", {}))

    def step_close(self, events: list[Event]) -> None:
        """NC-TURN-08, NC-END-07: the turn is over."""
        if not self.stack:
            self._begin_flickers(events)
            if self._is_cut_off():
                self._finish("cut-off", "NC-END-07")
                return
        prisoners = self.rules.prisoners
        if self.rules.people == 3 and self.turn == prisoners - 1:
            self.seats = self._controllers((self.seats[-1] + 1) % 3)
            events.append(Event("marker", {"seat": self.seats[-1]}))
        self.step_turn(events, (self.turn + 1) % prisoners)

    def can_concede(self, seat: Seat) -> Refusal | None:
        """NC-END-09: when the light is gone, or at any turn where the players have agreed on it."""
        if not (self.flickers or self.rules.concede_any_turn):
            return Refusal("too-early", (), "NC-END-09")
        return None

    def do_concede(self, seat: Seat) -> list[Event]:
        self._finish("conceded", "NC-END-09")
        return self._run([])

    # Staying -----------------------------------------------------------------------------------

    def can_stay(self, seat: Seat) -> Refusal | None:
        if not self.is_lit(self.turn):
            return Refusal("candle-out", (self.cells[self.turn],), "NC-STAY-16")
        return None

    def do_stay(self, seat: Seat) -> list[Event]:
        """NC-STAY-01..03, -19..21: gains nerve, burns a tile, and the turn is over."""
        self.todo.pop()
        prisoner = self.turn
        events = [Event("stayed", {"prisoner": self.name(prisoner)})]
        if self.nerve[prisoner] < NERVE_LIMIT:
            self.nerve[prisoner] += 1
            self.gained = True
        self.todo += (("end",), ("light",), ("collapse",))
        if self.stack:
            self.todo.append(("draw", prisoner, STAY, prisoner, -1))
        return self._run(events)

    def can_rest(self, seat: Seat) -> Refusal | None:
        if self.is_lit(self.turn):
            return Refusal("candle-burns", (self.cells[self.turn],), "NC-NERVE-08")
        if not self.can_spend(self.turn):
            return Refusal("no-nerve", (self.cells[self.turn],), "NC-STAY-16")
        return None

    def do_rest(self, seat: Seat) -> list[Event]:
        """NC-STAY-16: stays in the dark for a token."""
        self.nerve[self.turn] -= 1
        return self._wait("rested")

    def can_idle(self, seat: Seat) -> Refusal | None:
        """NC-STAY-18: only who is dark, stuck and without nerve."""
        here = (self.cells[self.turn],)
        if self.is_lit(self.turn):
            return Refusal("candle-burns", here, "NC-STAY-17")
        if self.nerve[self.turn] or any(a.verb == "move" for a in self._list_act(self.turn)):
            return Refusal("must-move", here, "NC-STAY-18")
        return None

    def do_idle(self, seat: Seat) -> list[Event]:
        return self._wait("idled")

    def _wait(self, kind: str) -> list[Event]:
        self.todo.pop()
        self.todo += (("end",), ("light",), ("collapse",))
        return self._run([Event(kind, {"prisoner": self.name(self.turn)})])

    def step_collapse(self, events: list[Event]) -> None:
        """NC-STAY-14, -15, NC-PIT-03: a crumbling tile gives way under who stays on it."""
        here = self.cells[self.turn]
        if here >= 0 and CRUMBLES[self.tiles[here]]:
            seen = self.watching(here)
            self._crumble(here, events)
            self._drop(events, [self.turn], seen)

    def _stay_reveals(self, prisoner: int, kind: int) -> None:
        """NC-STAY-03, -04, -12: what the burned tile was."""
        if not IS_MONSTER[code_of(kind)]:
            self._burn_up(kind)
        elif self._swap_places(prisoner):
            self.todo.append(("swap", prisoner, kind))
        elif kind == OMEN:
            self._hold(prisoner)
            self.todo.append(("foretell",))
        else:
            self._burn_up(kind)

    def _swap_places(self, prisoner: int) -> list[Cell]:
        """NC-STAY-04..06: the connected tiles, those without a monster if there are any."""
        here = self.cells[prisoner]
        joined = [
            cell
            for cell in self.torus.grid.beside[here]
            if self.tiles[cell] != DIRGE_PIT and self.are_joined(here, cell)
        ]
        return [cell for cell in joined if not IS_MONSTER[self.tiles[cell]]] or joined

    def can_replace(self, seat: Seat, cell: Cell) -> Refusal | None:
        step = self.todo[-1]
        if step[0] == "omen":
            if cell not in self._omen_places(step[2]):
                return Refusal("not-adjacent", (step[2], cell), "NC-BOSS-13")
            return None
        here = self.cells[step[1]]
        places = self._swap_places(step[1])
        if cell in places:
            return None
        if self.are_joined(here, cell) and here != cell and self.tiles[cell] != DIRGE_PIT:
            return Refusal("monster", (here, cell), "NC-STAY-05")
        return Refusal("not-connected", (here, cell), "NC-STAY-04")

    def do_replace(self, seat: Seat, cell: Cell) -> list[Event]:
        step = self.todo.pop()
        events: list[Event] = []
        if step[0] == "omen":
            self.held = None
            self._replace(events, step[2], cell, OMEN)
            self.todo.append(("dirge", step[1], cell))
            return self._run(events)
        _, prisoner, kind = step
        self._replace(events, self.cells[prisoner], cell, kind)
        if kind == FIEND:
            self._fiend(events, cell)
        elif kind == OMEN:
            self.todo.append(("dirge", prisoner, cell))
        elif cell in self.cells:
            self.step_attack(events, (cell,))
        return self._run(events)

    # Invariants --------------------------------------------------------------------------------

    def check(self) -> None:
        rules = self.rules
        expected = [a + b for a, b in zip(rules.stack.top, rules.stack.rest, strict=True)]
        expected[START] = rules.prisoners
        assert self.count() == expected, (self.count(), expected)
        assert self.surroundings == sum(self.top) and self.stack == sum(self.top) + sum(self.rest)
        assert self.laid == sum(1 << c for c, code in enumerate(self.tiles) if code != EMPTY)
        assert self.dirge == sum(1 << c for c, code in enumerate(self.tiles) if code == DIRGE_PIT)
        assert self.keepers == sum(
            1 << c for c, code in enumerate(self.tiles) if code != EMPTY and code >> 2 == KEEPER
        )
        assert self.keepers & ~self.monsters == 0
        assert all(0 <= nerve <= NERVE_LIMIT for nerve in self.nerve), self.nerve
        assert all(n >= 0 for n in self.discard)
        for cell in set(self.cells) - {-1}:
            together = self.cells.count(cell)
            scrambling = self.tiles[cell] == EMPTY or self.tiles[cell] & PIT or IS_MONSTER[self.tiles[cell]]
            assert together == 1 or IS_GATE[self.tiles[cell]] or scrambling, (cell, self.cells)
        assert all(self.lines[p] < 0 for p, cell in enumerate(self.cells) if cell >= 0), (
            self.cells,
            self.lines,
        )
        held = self.keys.bit_count()
        on_board = self._key_sources(self.laid)
        in_stack = expected_sources(self.top) + expected_sources(self.rest)
        in_hand = sum(kind in (KEEPER, KIND[code_of(5)]) for kind in self._in_hand())
        assert self.sources == held + on_board + in_stack + in_hand, self.sources
        if self.over is None and self.todo[-1][0] == "act":
            if self.stack:
                assert not self.lit_mask() & ~self.laid, "a lit cell is bare (NC-LIGHT-18)"
            idle = self.laid & ~(self.lit_mask() | self.occupied_mask() | self.keepers | self.dirge)
            assert not idle, "a tile lies in the dark (NC-LIGHT-09)"


def expected_sources(counts: list[int]) -> int:
    """The keys that some unseen tiles can give."""
    return sum(n for kind, n in enumerate(counts) if NAMES[kind] in ("key", "keeper"))


_LISTS: Mapping[str, Callable[..., list[Action]]] = {
    "start": lambda s, p: [*chain.from_iterable(compress(BEGIN, map(EMPTY.__eq__, s.tiles)))],
    "put": NightCage._list_put,
    "act": NightCage._list_act,
    "again": NightCage._list_again,
    "block": lambda s, p, kind: [BLOCK, SUFFER],
    "fall": lambda s, p, cell: [ROW, COLUMN],
    "land": lambda s, p: [LAND_ON[cell] for cell in s._landing_cells(p)],
    "swap": lambda s, p, kind: [REPLACE[cell] for cell in s._swap_places(p)],
    "omen": lambda s, p, here: [REPLACE[cell] for cell in s._omen_places(here)],
    "scramble": lambda s, p: [
        SCRAMBLE_TO[s.torus.grid.beside[s.cells[p]][d]]
        for d in range(4)
        if not s._obstacle(s.cells[p], 15, d, blind=True)
    ],
    "dirge": lambda s, p, omen: [
        COVER[cell][turn] for (cell, turn), mask in s.rules.placements.items() if mask >> omen & 1
    ],
    "handover": lambda s, p: [*(GIVE[s.rules.colours[other]] for other in s._heirs(p)), KEEP],
    "flicker": NightCage._list_flicker,
}
"""How the actions of each decision are listed."""


class NightCage6(NightCage):
    """The game of four prisoners."""

    __slots__ = ()
    torus = BOARDS[6]
    verbs = _verbs(BOARDS[6])


class NightCage7(NightCage):
    """The game of five prisoners."""

    __slots__ = ()
    torus = BOARDS[7]
    verbs = _verbs(BOARDS[7])


def rules_from(options: Options) -> Rules:
    """Reads the options (NC-SETUP-01)."""
    people = int(options["players"])
    prisoners = 5 if people == 5 else 4
    outline = read_outline() if options["dirge_outline"] == "measured" else SQUARE
    return Rules(
        people=people,
        prisoners=prisoners,
        colours=colours_of(options, prisoners),
        leaders=LEADERS[str(options["order_of_two"])],
        stack=set_up(
            prisoners,
            advanced=bool(options["advanced"]),
            keys=int(options["keys"]),
            gates=int(options["gates"]),
            cracked_tees=bool(options["cracked_tees"]),
            fiends=int(options["fiends"]),
            wax_in_advanced_5=int(options["adv5_wax_eaters"]),
            pathless=int(options["pathless"]),
            dirge=bool(options["dirge"]),
        ),
        passing=PASSING[bool(options["monster_blocks_ray"])],
        placements=BOARDS[7 if prisoners == 5 else 6].placements(outline),
        landing_in_los_triggers=bool(options["landing_in_los_triggers"]),
        any_fall_out_of_los_triggers=bool(options["any_fall_out_of_los_triggers"]),
        flicker_same_turn=options["flicker_first_removal"] == "same-turn",
        flicker_unlit_keeper_removable=bool(options["flicker_unlit_keeper_removable"]),
        scramble_triggers=bool(options["scramble_triggers"]),
        turn_continues_after_landing_on_monster=bool(options["turn_continues_after_landing_on_monster"]),
        relight_state_based=bool(options["relight_state_based"]),
        concede_any_turn=bool(options["concede_any_turn"]),
        silent=bool(options["silent"]),
        shows_burnt=options["deck"] == "physical",
    )


@cache
def _rules_of(options: tuple[tuple[str, Value], ...]) -> Rules:
    return rules_from(dict(options))


def start(options: Options) -> NightCage:
    """Begins a game: the stack is built, the prisoners choose their cells."""
    rules = _rules_of(tuple(options.items()))
    return NightCage7(rules) if rules.prisoners == 5 else NightCage6(rules)
