"""The rules of Saboteur: The Dark Cave: whose move it is, what may be done, and what follows by itself."""

from __future__ import annotations

from functools import cache, lru_cache

from companion.action import TABLE, Action, Seat, Verb, Words
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cards import CLOSED, Cards, Ready
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
    NOWHERE,
    OPEN,
    OVER,
    PLAY,
    REVEAL,
    SIDE,
    TURN_END,
    VOTE,
)
from companion.games.dark_cave.spread import NAMES
from companion.options import Options
from companion.state import Event, Need

CARD = Words("card", CARDS.names)
CELL = Words("cell", NAMES)
SEGMENT = Words(
    "segment",
    [*CARDS.segments, *(f"_{i}" for i in range(len(CARDS.segments), CLOSED)), "closed"],
)
TURN = Words("turn", ("0", "90", "180", "270"))
BORDER_SIDE = Words("side", ("east", "south"))
SEAT = Words("seat", [f"p{i + 1}" for i in range(pieces.MAX_PLAYERS)])

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
        "lose": Verb(CARD),
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
        while not self._is_waiting(events):
            pass
        code, a, b = self.todo[-1]
        self.waiting = _need(code, self._who(code, a, b))
        return events

    def _is_waiting(self, events: list[Event]) -> bool:
        """Says whether the next entry needs a decision or chance; carries it out otherwise."""
        code, a, b = self.todo[-1]
        if code == PLAY:
            return True
        if code == MOVE:
            return self._is_walking(events)
        if code in (DRAW, LOSE, CREEP, ASK):
            if self._is_open(code, a, b):
                return True
            self.todo.pop()
        elif code == TURN_END:
            self.end_turn(events)
        elif code == HIT:
            self.hit(events)
        elif code == LEAVE:
            self.leave(events)
        elif code == DEAL and not self.settings.digital:
            self.todo.pop()
            self.give(a, self.cards.unknown + b)
        elif code == OVER and not a:
            self.todo[-1] = (OVER, 1, 0)
            self.count_gold(events)
        else:
            return True
        return False

    def _is_open(self, code: int, a: int, b: int) -> bool:
        """Says whether there is still something to decide about an entry."""
        if code == DRAW:
            return self.due > 0 and self.deck_level() >= 0
        if code == LOSE:
            return bool(self.hands[a])
        if code == CREEP:
            return self.crawl > 0 and self.may_creep_on(a)
        return self.creatures[a] != NOWHERE and self.usable_axes(b) > 0

    def _is_walking(self, events: list[Event]) -> bool:
        if self.steps < 0:
            self.start_walk()
            if not (self.settings.finish_turn or any(self.hands) or self.deck_level() >= 0):
                self.finish("DC-END-01", events)
                return False
        if self.may_walk_on():
            return True
        self.end_walk(events)
        return False

    def may_creep_on(self, creature: int) -> bool:
        """Says whether there is anything to decide about a creature's next step."""
        if self.next_places(self.creatures[creature], self.behind[creature]):
            return True
        return bool(self.usable_axes(self.turn) and self.cuttable(self.turn))

    # Who must act --------------------------------------------------------------------------------

    def needs(self) -> tuple[Need, ...]:
        return self.waiting

    def _who(self, code: int, a: int, b: int) -> Seat:
        """Who decides about an entry of the agenda."""
        if code in (PLAY, MOVE, CREEP, FIT):
            return self.turn
        if code == ASK:
            return b
        return a if code in (FIGURE, VOTE) else TABLE

    def actions(self, seat: Seat) -> list[Action]:
        if not self.waiting or self.waiting[0].seat != seat:
            return []
        code, a, b = self.todo[-1]
        if code == MOVE:
            return self._walks(seat)
        if code == PLAY:
            return self._plays(seat)
        if seat == TABLE:
            return [action for action, _ in self.outcomes()]
        if code == CREEP:
            return self._creeps(seat, a)
        if code == ASK:
            return [STRIKE, ENDURE]
        if code == VOTE:
            return [AGREE, DECLINE]
        if code == FIT:
            return [Action("fit", (2 * turn,)) for turn in self.goal_turns(a, b)]
        dwarves = range(len(DWARVES))
        return [Action("take", (dwarf,)) for dwarf in dwarves if self.can_take(seat, dwarf) is None]

    def outcomes(self) -> list[tuple[Action, int]]:
        code = self.todo[-1][0]
        if code in (DRAW, DEAL):
            return self.draw_outcomes()
        if code == LOSE:
            return [(Action("lose", (kind,)), ways) for kind, ways in self.lose_outcomes()]
        if code == CLAN:
            return [(Action("clan", (card,)), ways) for card, ways in self.clan_outcomes()]
        if code == OPEN:
            return [(Action("open", (card,)), ways) for card, ways in self.open_outcomes()]
        if code == SIDE:
            return [(Action("side", (clan,)), 1) for clan in range(2)]
        if code == FIRST:
            return [(Action("first", (seat,)), 1) for seat in self.first_outcomes()]
        if code == LOOK:
            return [(Action("look", (sight,)), 1) for sight in self.look_outcomes()]
        if code == REVEAL:
            return [(Action("reveal", (goal,)), 1) for goal in self.goal_outcomes()]
        if code == ANNOUNCE:
            return [(Action("announce", (side,)), 1) for side in self.sides_out()]
        return []

    # Listing -------------------------------------------------------------------------------------

    def _walks(self, seat: Seat) -> list[Action]:
        listed = [STAY]
        if self.steps:
            listed += [STEP[place] for place in self.next_places(self.at[seat])]
        return listed + self._cuts(seat)

    def _creeps(self, seat: Seat, creature: int) -> list[Action]:
        places = self.next_places(self.creatures[creature], self.behind[creature])
        return [HALT, *(CRAWL[place] for place in places), *self._cuts(seat)]

    def _cuts(self, seat: Seat) -> list[Action]:
        cuttable = self.cuttable(seat)
        if not cuttable or not self.usable_axes(seat):
            return []
        return [Action("cut", (border >> 1, border & 1)) for border in cuttable]

    def playable(self, seat: Seat) -> list[int]:
        """The kinds of cards that a seat may show: those in hand, or those that real hands may hold."""
        hand = self.hands[seat]
        if self.settings.digital:
            return list(dict.fromkeys(hand))
        cards, kinds = self.cards, []
        for back in dict.fromkeys(hand):
            level = cards.level[back]
            first = cards.first[level]
            kinds += [first + i for i, left in enumerate(self.pools[level].counts) if left]
        return kinds

    def _plays(self, seat: Seat) -> list[Action]:
        cards, kinds = self.cards, self.playable(seat)
        listed: list[Action] = []
        shapes = 0
        for kind in kinds:
            if cards.shape[kind] >= 0:
                shapes |= (3 if self.settings.half_turn else 1) << cards.shape[kind]
            else:
                listed += DEEDS[cards.deed[kind]](self, seat, kind)
        if shapes:
            fits, lay = cards.fits, cards.lay
            for cell, site in self.cave.sites.items():
                fitting = fits(site) & shapes
                while fitting:
                    listed.append(lay[cell << 8 | fitting.bit_length() - 1])
                    fitting ^= 1 << fitting.bit_length() - 1
        listed += _passes(self.hands[seat])
        listed += self._cuts(seat)
        if self.can_propose(seat) is None:
            listed.append(PROPOSE)
        return listed

    def _infos(self, seat: Seat, kind: int) -> list[Action]:
        goals = [Action("spy-goal", (kind, cell)) for cell in self.goal_cells if cell in self.cave.closed]
        others = range(self.settings.players)
        return goals + [
            Action("spy-clan", (kind, other))
            for other in others
            if other != seat and not self.opened >> other & 1
        ]

    def _rockfalls(self, seat: Seat, kind: int) -> list[Action]:
        held = {place >> 4 for place in (*self.at, *self.creatures) if place != NOWHERE}
        tunnels = self.cards.tunnel_shapes
        return [
            Action("rockfall", (kind, cell))
            for cell, shape in self.cave.laid.items()
            if shape < tunnels and cell not in held
        ]

    def _swaps(self, seat: Seat, kind: int) -> list[Action]:
        return [Action("swap", (kind, other)) for other in range(self.settings.players) if other != seat]

    def _webs(self, seat: Seat, kind: int) -> list[Action]:
        return [
            Action("web", (kind, border >> 1, border & 1))
            for border in self.cave.web_places()
            if border not in self.webs
        ]

    def _boots(self, seat: Seat, kind: int) -> list[Action]:
        others = range(self.settings.players)
        return [Action("boots", (kind, other)) for other in others if not self.has_boots(other)]

    def _axes(self, seat: Seat, kind: int) -> list[Action]:
        return [Action("axe", (kind, other)) for other in range(self.settings.players)]

    def _beasts(self, seat: Seat, kind: int) -> list[Action]:
        if self.creatures[self.creature_of(kind)] != NOWHERE:
            return [Action("rouse", (kind,))]
        return [Action("call", (kind, place >> 4, place & 15)) for place in self.cave.holes]


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

STAY, HALT, STRIKE, ENDURE = (Action(verb) for verb in ("stay", "halt", "strike", "endure"))
PROPOSE, AGREE, DECLINE = (Action(verb) for verb in ("propose", "agree", "decline"))

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
}


@cache
def _need(code: int, seat: Seat) -> tuple[Need, ...]:
    return () if code == OVER else (Need(seat, _VERBS[code]),)


@lru_cache(4096)
def _passes(hand: tuple[int, ...]) -> list[Action]:
    ones = list(dict.fromkeys(hand))
    twos = dict.fromkeys((one, other) for i, one in enumerate(hand) for other in hand[i + 1 :])
    return [Action("pass", (one,)) for one in ones] + [Action("pass", two) for two in twos]


STEP = Ready(lambda place: Action("step", (place >> 4, place & 15)))
CRAWL = Ready(lambda place: Action("crawl", (place >> 4, place & 15)))
