"""Before the first turn: clan cards, dwarves, hands, and who begins."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.hand import give
from companion.games.dark_cave.position import ALONE, Position, replaced
from companion.games.dark_cave.spread import no
from companion.games.dark_cave.turn import begin_turn
from companion.games.dark_cave.verbs import CLAN, FIRST, SIDE, TAKE


def begin(state: Position, events: list[Event]) -> None:
    """Writes down what the set-up consists of (DC-SETUP-07 to DC-SETUP-25)."""
    n = state.settings.players
    level_1, level_2 = pieces.dealt(n)
    deal = "deal" if state.settings.digital else "hand-out"
    state.push(
        *(("clan", seat) for seat in range(n)),
        *(("figure", seat) for seat in range(n)),
        *((deal, seat, level) for seat in range(n) for level in [0] * level_1 + [1] * level_2),
        ("first",),
    )
    if n in (3, 4) and state.settings.clan == "random":
        state.push(("side",))


# Clans -----------------------------------------------------------------------------------------


def can_side(state: Position, seat: Seat, clan: int) -> Refusal | None:
    return None


def do_side(state: Position, seat: Seat, clan: int) -> list[Event]:
    """One clan is used with 3 or 4 players (DC-SETUP-09)."""
    state.take()
    state.clan_left = tuple(pieces.clan_pool(state.settings.players, clan))
    return [Event("clan-chosen", {"clan": pieces.CLANS[clan]})]


def sides(state: Position) -> list[tuple[Action, int]]:
    return [(SIDE[clan], 1) for clan in range(2)]


def can_clan(state: Position, seat: Seat, card: int) -> Refusal | None:
    possible = [action.args for action, _ in clans(state, state.todo[-1][1])]
    return None if (card,) in possible else no("not-drawn", "DC-SETUP-11")


def do_clan(state: Position, seat: Seat, card: int) -> list[Event]:
    """A seat gets its clan card: all see its colour, its owner the front (DC-SETUP-11, DC-SETUP-12)."""
    _, owner = state.take()
    clan = card - pieces.BACK if card >= pieces.BACK else pieces.clan_of(card)
    state.colours = replaced(state.colours, owner, clan)
    events = [Event("clan-dealt", {"seat": owner, "clan": pieces.CLANS[clan]})]
    if card < pieces.BACK:
        state.identity = replaced(state.identity, owner, pieces.identity_of(card))
        state.clan_left = replaced(state.clan_left, card, state.clan_left[card] - 1)
        events.append(Event("clan-own", {"seat": owner, "card": pieces.CLAN_CARDS[card]}, ALONE[owner]))
    return events


def clans(state: Position, owner: Seat) -> list[tuple[Action, int]]:
    """The clan cards that can be dealt now, each with its number; of cardboard only the backs."""
    if state.settings.digital_clans:
        return [(CLAN[card], left) for card, left in enumerate(state.clan_left) if left]
    left = [-state.colours.count(clan) for clan in range(2)]
    for card, n in enumerate(state.clan_left):
        left[pieces.clan_of(card)] += n
    return [(CLAN[pieces.BACK + clan], left[clan]) for clan in range(2) if left[clan]]


# Dwarves ---------------------------------------------------------------------------------------


def can_take(state: Position, seat: Seat, dwarf: int) -> Refusal | None:
    if dwarf // pieces.DWARVES_PER_CLAN != state.colours[seat]:
        return no("other-clan", "DC-SETUP-15")
    if dwarf in state.figures:
        return no("dwarf-taken", "DC-SETUP-15")
    return None


def do_take(state: Position, seat: Seat, dwarf: int) -> list[Event]:
    """A player chooses a dwarf of the own clan (DC-SETUP-15)."""
    state.take()
    state.figures = replaced(state.figures, seat, dwarf)
    return [Event("dwarf-taken", {"seat": seat, "dwarf": pieces.DWARVES[dwarf]})]


def list_figure(state: Position, seat: Seat, player: Seat) -> list[Action]:
    first = state.colours[seat] * pieces.DWARVES_PER_CLAN
    dwarves = range(first, first + pieces.DWARVES_PER_CLAN)
    return [TAKE[dwarf] for dwarf in dwarves if dwarf not in state.figures]


# Hands, and who begins -------------------------------------------------------------------------


def hand_out(state: Position, events: list[Event], seat: Seat, level: int) -> None:
    """A real card goes to a hand: only its back is seen (DC-SETUP-20 to DC-SETUP-22)."""
    give(state, seat, state.cards.unknown + level)


def can_first(state: Position, seat: Seat, first: Seat) -> Refusal | None:
    return None if (FIRST[first], 1) in firsts(state) else no("not-drawn", "DC-SETUP-25")


def do_first(state: Position, seat: Seat, first: Seat) -> list[Event]:
    """Somebody begins (DC-SETUP-25)."""
    state.take()
    events = [Event("first", {"seat": first})]
    begin_turn(state, first, events)
    return events


def firsts(state: Position) -> list[tuple[Action, int]]:
    chosen = state.settings.first
    seats = [chosen - 1] if chosen else range(state.settings.players)
    return [(FIRST[seat], 1) for seat in seats]
