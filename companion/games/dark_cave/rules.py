"""The rules of Saboteur: The Dark Cave: whose move it is, what may be done, and what follows by itself."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from itertools import combinations

from companion.engine.action import TABLE, Action, Seat, Verb, Words
from companion.engine.options import Options
from companion.engine.state import Event, Need
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CLOSED, Cards, Ready
from companion.games.dark_cave.cave import Place
from companion.games.dark_cave.clans import CLAN_WORDS, DWARVES, SIDES_OUT
from companion.games.dark_cave.deeds import Deeds
from companion.games.dark_cave.position import (
    ANNOUNCE,
    ASK,
    CARDS,
    CLAN,
    CREEP,
    DEAL,
    DRAW,
    FIGURE,
    FIRST,
    FIT,
    HIT,
    LEAVE,
    LOOK,
    LOSE,
    MOVE,
    NO_WEBS,
    NOWHERE,
    OPEN,
    OVER,
    PICK,
    PLAY,
    REVEAL,
    SIDE,
    TURN_END,
    VEIN,
    VOTE,
    Entry,
)
from companion.games.dark_cave.spread import NAMES

CARD = Words("card", CARDS.names)
CELL = Words("cell", NAMES)
SEGMENT = Words(
    "segment",
    [*CARDS.segments, *(f"_{i}" for i in range(len(CARDS.segments), CLOSED)), "closed"],
)
TURN = Words("turn", ("0", "90", "180", "270"))
BORDER_SIDE = Words("side", ("east", "south"))
SEAT = Words("seat", [f"p{i + 1}" for i in range(pieces.MAX_PLAYERS)])

LARGEST_HAND = 5
"""Nobody holds more cards than were dealt: who draws has played or discarded as many."""

PLAY_VERBS = (
    "lay",
    "pass",
    "spy-goal",
    "spy-clan",
    "rockfall",
    "swap",
    "web",
    "boots",
    "axe",
    "call",
    "rouse",
    "cut",
    "propose",
)


class DarkCave(Deeds):
    """A game in the Dark Cave."""

    __slots__ = ()

    turn_rule = "DC-TURN-01"
    over_rule = "DC-INV-09"
    verbs = {  # noqa: RUF012
        "side": Verb(Words("clan", pieces.CLANS)),
        "clan": Verb(Words("clan", CLAN_WORDS)),
        "take": Verb(Words("dwarf", DWARVES)),
        "first": Verb(SEAT),
        "draw": Verb(CARD),
        "lay": Verb(CARD, CELL, TURN),
        "pass": Verb(rest=CARD),
        "spy-goal": Verb(CARD, CELL, reveals=True),
        "spy-clan": Verb(CARD, SEAT, reveals=True),
        "look": Verb(Words("sight", (*CARDS.goal_names, *pieces.CLAN_CARDS))),
        "rockfall": Verb(CARD, CELL),
        "swap": Verb(CARD, SEAT, reveals=True),
        "web": Verb(CARD, CELL, BORDER_SIDE),
        "boots": Verb(CARD, SEAT),
        "axe": Verb(CARD, SEAT),
        "call": Verb(CARD, CELL, SEGMENT),
        "rouse": Verb(CARD),
        "crawl": Verb(CELL, SEGMENT),
        "halt": Verb(),
        "step": Verb(CELL, SEGMENT),
        "stay": Verb(),
        "cut": Verb(CELL, BORDER_SIDE),
        "reveal": Verb(Words("goal", CARDS.goal_names)),
        "fit": Verb(TURN),
        "strike": Verb(),
        "endure": Verb(),
        "pick": Verb(Words("place", [str(i + 1) for i in range(LARGEST_HAND)])),
        "lose": Verb(CARD),
        "gather": Verb(),
        "leave-it": Verb(),
        "open": Verb(Words("clan", pieces.CLAN_CARDS)),
        "announce": Verb(Words("clan", SIDES_OUT)),
        "propose": Verb(),
        "agree": Verb(),
        "decline": Verb(),
    }

    def __init__(self, options: Options, cards: Cards = CARDS) -> None:
        super().__init__(options, cards)
        self.set_up()
        self.run([])

    # The agenda ----------------------------------------------------------------------------------

    def run(self, events: list[Event]) -> list[Event]:
        while True:
            entry = self.todo[-1]
            code = entry[0]
            settle = SETTLE[code]
            if settle is None or not settle(self, entry, events):
                break
        who = WHO[code]
        self.waiting = NEEDS[code][entry[who] if who else self.turn]
        return events

    # Each of these carries an entry of the agenda out, or returns False when somebody must decide about it.

    def _settle_move(self, entry: Entry, events: list[Event]) -> bool:
        if self.steps < 0:
            self.start_walk()
        if not (self.settings.finish_turn or any(self.hands) or self.deck_level() >= 0):
            self.finish("DC-END-01", events)
            return True
        seat = self.turn
        place = self.at[seat]
        ways: Collection[Place] = ()
        if self.steps and place != NOWHERE:
            ways = self.cave.near(place) if self.webs == NO_WEBS else self.next_places(place)
        self.ways = ways
        if ways or self.cuts(seat):
            return False
        self.end_walk(events)
        return True

    def _settle_draw(self, entry: Entry, events: list[Event]) -> bool:
        level = self.deck_level() if self.due else -1
        if level < 0:
            self.todo.pop()
            return True
        self.todo[-1] = (DRAW, self.drawer, level)
        return False

    def _settle_lose(self, entry: Entry, events: list[Event]) -> bool:
        _, victim, back = entry
        if self.settings.digital and not back and len(self.hands[victim]) > 1:
            self.push(PICK, self.left_of(victim), victim)
            return True
        return self._drop_if(not self.hands[victim])

    def _settle_creep(self, entry: Entry, events: list[Event]) -> bool:
        return self._drop_if(not self.crawl or not self.may_creep_on(entry[1]))

    def _settle_ask(self, entry: Entry, events: list[Event]) -> bool:
        return self._drop_if(self.creatures[entry[1]] == NOWHERE or not self.usable_axes(entry[2]))

    def _settle_hit(self, entry: Entry, events: list[Event]) -> bool:
        self.hit(events)
        return True

    def _settle_leave(self, entry: Entry, events: list[Event]) -> bool:
        self.leave(events)
        return True

    def _settle_deal(self, entry: Entry, events: list[Event]) -> bool:
        if self.settings.digital:
            return False
        _, seat, level = self.todo.pop()
        self.give(seat, self.cards.unknown + level)
        return True

    def _settle_over(self, entry: Entry, events: list[Event]) -> bool:
        if entry[1]:
            return False
        self.todo[-1] = (OVER, 1, 0)
        self.count_gold(events)
        return True

    def _drop_if(self, is_idle: bool) -> bool:
        if is_idle:
            self.todo.pop()
        return is_idle

    def may_creep_on(self, creature: int) -> bool:
        """Says whether there is anything to decide about a creature's next step."""
        places = self.next_places(self.creatures[creature], self.behind[creature])
        return bool(places or self.cuts(self.turn))

    # Who must act --------------------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        return self.waiting

    def actions(self, seat: Seat) -> list[Action]:
        waiting = self.waiting
        if not waiting or waiting[0][0] != seat:
            return []
        return LISTERS[self.todo[-1][0]](self, seat)

    def outcomes(self) -> list[tuple[Action, int]]:
        code, _, level = self.todo[-1]
        if code in (DRAW, DEAL):
            if not self.settings.digital:
                return [(self.cards.draws_unseen[level], 1)]
            return self.drawable(level)
        if code not in CHANCE:
            return []
        actions, possible = CHANCE[code]
        return [(actions[value], ways) for value, ways in possible(self)]

    # Listing -------------------------------------------------------------------------------------

    def _chances(self, seat: Seat) -> list[Action]:
        return [action for action, _ in self.outcomes()]

    def _walks(self, seat: Seat) -> list[Action]:
        listed = [STAY]
        for place in self.ways:
            listed.append(STEP[place])
        if self.front[seat] and self.webs != NO_WEBS:
            listed += self._cuts(seat)
        return listed

    def _creeps(self, seat: Seat) -> list[Action]:
        creature = self.todo[-1][1]
        places = self.next_places(self.creatures[creature], self.behind[creature])
        return [HALT, *map(CRAWL.__getitem__, places), *self._cuts(seat)]

    def _fits(self, seat: Seat) -> list[Action]:
        _, goal, side = self.todo[-1]
        return [Action("fit", (2 * turn,)) for turn in self.goal_turns(goal, side)]

    def _takes(self, seat: Seat) -> list[Action]:
        first = self.colours[seat] * pieces.DWARVES_PER_CLAN
        dwarves = range(first, first + pieces.DWARVES_PER_CLAN)
        return [TAKE[dwarf] for dwarf in dwarves if dwarf not in self.figures]

    def _cuts(self, seat: Seat) -> list[Action]:
        return [Action("cut", (border >> 1, border & 1)) for border in self.cuts(seat)]

    def _plays(self, seat: Seat) -> list[Action]:
        hand, deeds = self.hands[seat], self.cards.deed
        kinds = list(dict.fromkeys(hand))
        listed: list[Action] = []
        tunnels = []
        for kind in kinds if self.settings.digital else self._behind(kinds):
            deed = deeds[kind]
            if deed:
                listed += DEEDS[deed](self, seat, kind)
            else:
                tunnels.append(kind)
        if tunnels:
            self._list_lays(tunnels, listed)
        for kind in kinds:
            listed.append(PASS[kind])
        pairs: Iterable[tuple[int, int]] = combinations(hand, 2)
        if len(kinds) < len(hand):
            pairs = dict.fromkeys(pairs)
        listed += [PASS_TWO[one][other] for one, other in pairs]
        if self.front[seat] and self.webs != NO_WEBS:
            listed += self._cuts(seat)
        if self.can_propose(seat) is None:
            listed.append(PROPOSE)
        return listed

    def _behind(self, backs: list[int]) -> list[int]:
        """The kinds that real cards with these backs may be."""
        cards, kinds = self.cards, []
        for back in backs:
            level = cards.level[back]
            first = cards.first[level]
            kinds += [first + i for i, left in enumerate(self.pools[level].counts) if left]
        return kinds

    def _list_lays(self, tunnels: list[int], listed: list[Action]) -> None:
        tunnels.reverse()
        lays_at = self.cards.lays[self.settings.half_turn]
        for cell, ways in self.cave.fitting.items():
            lays = lays_at[cell]
            for kind in tunnels:
                listed += lays[ways[kind]]

    def _infos(self, seat: Seat, kind: int) -> list[Action]:
        closed, hidden, aims = self.cave.closed, ~self.opened, SPY_GOAL[kind]
        goals = [aims[cell] for cell in self.goal_cells if cell in closed]
        clans = enumerate(SPY_CLAN[kind][: self.settings.players])
        return goals + [aim for other, aim in clans if other != seat and hidden >> other & 1]

    def _rockfalls(self, seat: Seat, kind: int) -> list[Action]:
        held = {place >> 4 for place in (*self.at, *self.creatures)}
        tunnels, aims = self.cards.tunnel_shapes, ROCKFALL[kind]
        laid = self.cave.laid.items()
        return [aims[cell] for cell, shape in laid if shape < tunnels and cell not in held]

    def _swaps(self, seat: Seat, kind: int) -> list[Action]:
        aims = SWAP[kind][: self.settings.players]
        return aims[:seat] + aims[seat + 1 :]

    def _webs(self, seat: Seat, kind: int) -> list[Action]:
        aims, webs = WEB[kind], self.webs
        return [aims[border] for border in self.cave.web_places() if border not in webs]

    def _boots(self, seat: Seat, kind: int) -> list[Action]:
        boots = self.cards.boots
        return [aim for aim, front in zip(BOOTS[kind], self.front, strict=False) if boots.isdisjoint(front)]

    def _axes(self, seat: Seat, kind: int) -> list[Action]:
        return AXE[kind][: self.settings.players]

    def _beasts(self, seat: Seat, kind: int) -> list[Action]:
        if self.creatures[self.cards.creature[kind]] != NOWHERE:
            return [ROUSE[kind]]
        aims = CALL[kind]
        return [aims[place] for place in self.cave.holes]


DEEDS = {
    "info": DarkCave._infos,
    "rockfall": DarkCave._rockfalls,
    "swap": DarkCave._swaps,
    "web": DarkCave._webs,
    "boots": DarkCave._boots,
    "axe": DarkCave._axes,
    "rat": DarkCave._beasts,
    "lindworm": DarkCave._beasts,
    "goblin": DarkCave._beasts,
}
"""Lists the ways to play an action card."""

SETTLE: list[Callable[[DarkCave, Entry, list[Event]], bool] | None] = [None] * (OVER + 1)
"""What carries an entry of the agenda out; None where somebody or chance always decides."""
SETTLE[MOVE] = DarkCave._settle_move
SETTLE[DRAW] = DarkCave._settle_draw
SETTLE[TURN_END] = DarkCave.end_turn
SETTLE[LOSE] = DarkCave._settle_lose
SETTLE[CREEP] = DarkCave._settle_creep
SETTLE[ASK] = DarkCave._settle_ask
SETTLE[HIT] = DarkCave._settle_hit
SETTLE[LEAVE] = DarkCave._settle_leave
SETTLE[DEAL] = DarkCave._settle_deal
SETTLE[OVER] = DarkCave._settle_over

ACTIVE, NAMED_FIRST, NAMED_LAST = range(3)
WHO = [NAMED_FIRST] * (OVER + 1)
"""Who decides about an entry: the active player, or the seat that the entry names; chance needs no name."""
for _code in (PLAY, MOVE, CREEP, FIT):
    WHO[_code] = ACTIVE
WHO[ASK] = NAMED_LAST


def _one(verb: str) -> Ready[Action]:
    return Ready(lambda value: Action(verb, (value,)))


CHANCE: dict[int, tuple[Ready[Action], Callable[[DarkCave], list[tuple[int, int]]]]] = {
    LOSE: (_one("lose"), DarkCave.lose_outcomes),
    CLAN: (_one("clan"), DarkCave.clan_outcomes),
    OPEN: (_one("open"), DarkCave.open_outcomes),
    SIDE: (_one("side"), lambda state: [(0, 1), (1, 1)]),
    FIRST: (_one("first"), lambda state: [(seat, 1) for seat in state.first_outcomes()]),
    LOOK: (_one("look"), lambda state: [(sight, 1) for sight in state.look_outcomes()]),
    REVEAL: (_one("reveal"), lambda state: [(goal, 1) for goal in state.goal_outcomes()]),
    ANNOUNCE: (_one("announce"), lambda state: [(side, 1) for side in state.sides_out()]),
}
"""What chance may bring about an entry, with the number of ways."""

STAY, HALT, STRIKE, ENDURE = (Action(verb) for verb in ("stay", "halt", "strike", "endure"))
PROPOSE, AGREE, DECLINE = (Action(verb) for verb in ("propose", "agree", "decline"))
GATHER, LEAVE_IT = Action("gather"), Action("leave-it")
PICKS = [Action("pick", (card,)) for card in range(LARGEST_HAND)]

DECISIONS: dict[int, Callable[[DarkCave, Seat], list[Action]]] = {
    PLAY: DarkCave._plays,
    MOVE: DarkCave._walks,
    CREEP: DarkCave._creeps,
    FIT: DarkCave._fits,
    FIGURE: DarkCave._takes,
    ASK: lambda state, seat: [STRIKE, ENDURE],
    VOTE: lambda state, seat: [AGREE, DECLINE],
    PICK: lambda state, seat: PICKS[: len(state.hands[state.todo[-1][2]])],
    VEIN: lambda state, seat: [GATHER, LEAVE_IT],
}
"""Lists what a player may do about an entry."""
LISTERS = [DECISIONS.get(_code, DarkCave._chances) for _code in range(OVER + 1)]
"""Lists what a player or chance may do about an entry."""

_VERBS = {
    SIDE: ("side",),
    CLAN: ("clan",),
    FIGURE: ("take",),
    FIRST: ("first",),
    DEAL: ("draw",),
    PLAY: PLAY_VERBS,
    CREEP: ("crawl", "halt", "cut"),
    MOVE: ("step", "stay", "cut"),
    DRAW: ("draw",),
    LOSE: ("lose",),
    ASK: ("strike", "endure"),
    LOOK: ("look",),
    REVEAL: ("reveal",),
    FIT: ("fit",),
    OPEN: ("open",),
    ANNOUNCE: ("announce",),
    VOTE: ("agree", "decline"),
    PICK: ("pick",),
    VEIN: ("gather", "leave-it"),
}


NEEDS: tuple[tuple[tuple[Need, ...], ...], ...] = tuple(
    tuple(
        (Need(seat if code in DECISIONS else TABLE, _VERBS[code]),) if code in _VERBS else ()
        for seat in range(pieces.MAX_PLAYERS)
    )
    for code in range(OVER + 1)
)
"""Who must act, by the entry and the seat that decides about it unless chance does."""


def _aimed(verb: str, words: Callable[[int], tuple[int, ...]] = lambda aim: (aim,)) -> Ready[Ready[Action]]:
    return Ready(lambda kind: Ready(lambda aim: Action(verb, (kind, *words(aim)))))


def _at_seats(verb: str) -> Ready[list[Action]]:
    return Ready(lambda kind: [Action(verb, (kind, seat)) for seat in range(pieces.MAX_PLAYERS)])


# The actions that are listed often.
STEP = Ready(lambda place: Action("step", (place >> 4, place & 15)))
CRAWL = Ready(lambda place: Action("crawl", (place >> 4, place & 15)))
PASS = [Action("pass", (kind,)) for kind in range(len(CARD))]
PASS_TWO = [[Action("pass", (one, other)) for other in range(len(CARD))] for one in range(len(CARD))]
ROUSE, TAKE = _one("rouse"), _one("take")
SPY_CLAN, SWAP, BOOTS, AXE = map(_at_seats, ("spy-clan", "swap", "boots", "axe"))
"""By the kind of the card, then by the seat that it is aimed at."""
SPY_GOAL, ROCKFALL = map(_aimed, ("spy-goal", "rockfall"))
"""By the kind of the card, then by the cell that it is aimed at."""
CALL = _aimed("call", lambda place: (place >> 4, place & 15))
WEB = _aimed("web", lambda border: (border >> 1, border & 1))
