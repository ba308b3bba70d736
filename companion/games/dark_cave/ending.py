"""The end: dwarves leave the cave, clan cards are opened, the game is ended, the gold is counted."""

from __future__ import annotations

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Outcome, Refusal
from companion.games.dark_cave import pieces
from companion.games.dark_cave.cave import NOWHERE, cell_at
from companion.games.dark_cave.position import ALONE, HIDDEN, Position, replaced
from companion.games.dark_cave.spread import no, spot
from companion.games.dark_cave.verbs import AGREE, ANNOUNCE, DECLINE, OPEN

# The exit --------------------------------------------------------------------------------------


def leave(state: Position, events: list[Event], seat: Seat) -> None:
    """A dwarf leaves the cave with its gold; its clan card is opened (DC-EXIT-02 to DC-EXIT-09)."""
    stood = spot(cell_at(state.at[seat]))
    state.at[seat] = NOWHERE
    state.lying -= {seat}
    state.left += (seat,)
    events.append(Event("left", {"seat": seat, "gold": state.gold[seat], **stood}))
    if len(state.left) == 1 and state.settings.digital_clans and any(state.clan_left):
        events.append(Event("saw-aside", {"seat": seat, "cards": state.set_aside()}, ALONE[seat]))
    state.push(("announce",))
    if seat not in state.opened:
        state.push(("open", seat))


def can_open(state: Position, seat: Seat, card: int) -> Refusal | None:
    possible = [action.args for action, _ in opens(state, state.todo[-1][1])]
    return None if (card,) in possible else no("not-drawn", "DC-CLAN-03")


def do_open(state: Position, seat: Seat, card: int) -> list[Event]:
    """A clan card is turned face up and stays so (DC-CLAN-03)."""
    _, owner = state.take()
    if state.identity[owner] == HIDDEN:
        state.identity = replaced(state.identity, owner, pieces.identity_of(card))
        state.clan_left = replaced(state.clan_left, card, state.clan_left[card] - 1)
    state.opened |= {owner}
    return [Event("clan-opened", {"seat": owner, "card": pieces.CLAN_CARDS[card]})]


def opens(state: Position, owner: Seat) -> list[tuple[Action, int]]:
    """What the clan card that is turned can be: what is known, or what is left of its colour."""
    clan, identity = state.colours[owner], state.identity[owner]
    if identity != HIDDEN:
        return [(OPEN[pieces.clan_card(clan, identity)], 1)]
    identities = [pieces.LOYAL, pieces.SABOTEUR]
    if state.announced >= 0 and state.is_in_cave(owner):
        identities = [i for i in identities if pieces.side_of(clan, i) != state.announced]
    cards = [pieces.clan_card(clan, i) for i in identities]
    return [(OPEN[card], state.clan_left[card]) for card in cards if state.clan_left[card]]


# One side is out -------------------------------------------------------------------------------


def can_announce(state: Position, seat: Seat, side: int) -> Refusal | None:
    return None if side in sides_out(state) else no("not-out", "DC-END-02")


def do_announce(state: Position, seat: Seat, side: int) -> list[Event]:
    """When all dwarves working for one clan are out the game ends at once (DC-END-02, DC-END-07)."""
    state.take()
    if not side:
        return []
    state.announced = side - 1
    events = [Event("side-out", {"clan": pieces.CLANS[side - 1]})]
    state.finish("DC-END-02", events)
    return events


def announcements(state: Position) -> list[tuple[Action, int]]:
    return [(ANNOUNCE[side], 1) for side in sides_out(state)]


def sides_out(state: Position) -> list[int]:
    """What can be announced after somebody left: 0 for nobody, 1 + clan when all who work for it are out.

    With the companion's clan cards only the truth (DC-END-02, DC-END-03); with cardboard what the open
    cards leave possible, for the first who left to say (DC-EXIT-06).
    """
    possible = []
    for clan in range(2):
        unknown = _insiders_if_out(state, clan)
        if unknown is None:
            continue
        possible.append(1 + clan)
        if not any(_could_be_other(state, card) for card in unknown):
            return [1 + clan]
    if state.settings.digital_clans and possible:
        return possible
    return [0, *possible]


def _could_be_other(state: Position, card: int) -> bool:
    """Says whether a clan card of the same colour with the other identity is left."""
    other = pieces.LOYAL if pieces.identity_of(card) == pieces.SABOTEUR else pieces.SABOTEUR
    return state.clan_left[pieces.clan_card(pieces.clan_of(card), other)] > 0


def _insiders_if_out(state: Position, clan: int) -> list[int] | None:
    """The clan cards that hidden dwarves inside must hold if `clan` is out; None when it cannot be."""
    if not any(state.works_for(seat) == clan for seat in state.left):
        return None
    unknown = []
    for seat in filter(state.is_in_cave, range(state.settings.players)):
        colour = state.colours[seat]
        if state.identity[seat] == HIDDEN:
            unknown.append(pieces.clan_card(colour, pieces.SABOTEUR if colour == clan else pieces.LOYAL))
        elif state.works_for(seat) == clan:
            return None
    if any(unknown.count(card) > state.clan_left[card] for card in unknown):
        return None
    return unknown


# An early end ----------------------------------------------------------------------------------


def can_propose(state: Position, seat: Seat) -> Refusal | None:
    code = why_not_propose(state)
    return no(code, "DC-END-06") if code else None


def why_not_propose(state: Position) -> str:
    """The code of the reason against asking for an early end, or "" (DC-END-06)."""
    if not state.settings.early_end:
        return "no-early-end"
    if state.proposed:
        return "asked-already"
    return "way-open" if is_way_to_exit(state) else ""


def do_propose(state: Position, seat: Seat) -> list[Event]:
    """The active player asks all others to end the game (DC-END-06)."""
    state.proposed = True
    state.push(*(("vote", other) for other in state.in_turn_order()[1:]))
    return [Event("end-proposed", {"seat": seat})]


def is_way_to_exit(state: Position) -> bool:
    """Says whether a dwarf inside can still get to the exit, whatever stands in between (DC-BOOK-04).

    Tunnels must lead there. An exit that nobody has found may be under any face-down goal, and new
    tunnels may lead to it as long as cards are left.
    """
    cave = state.cave
    if not cave.exits:
        if state.deck_level() >= 0:
            return True
        if not cave.reaches_goals():
            return False
    return any(place != NOWHERE and cave.leads_out(place) for place in state.at)


def can_agree(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_agree(state: Position, seat: Seat) -> list[Event]:
    """A player agrees; when all do the game ends."""
    state.take()
    events = [Event("end-agreed", {"seat": seat})]
    if state.todo[-1][0] != "vote":
        state.finish("DC-END-06", events)
    return events


def can_decline(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_decline(state: Position, seat: Seat) -> list[Event]:
    """A player wants to play on: nobody else is asked."""
    while state.todo[-1][0] == "vote":
        state.take()
    return [Event("end-declined", {"seat": seat})]


def list_vote(state: Position, seat: Seat, player: Seat) -> list[Action]:
    return [AGREE, DECLINE]


# The gold --------------------------------------------------------------------------------------


def count(state: Position, events: list[Event], rule: str) -> None:
    """Who is still inside gives all nuggets back; then the clans compare (DC-SCORE-02 to DC-SCORE-09)."""
    for seat, place in enumerate(state.at):
        if place != NOWHERE and state.gold[seat]:
            state.supply += state.gold[seat]
            events.append(Event("gold-drowned", {"seat": seat, "gold": state.gold[seat]}))
            state.gold[seat] = 0
    rows = treasure(state)
    for clan, row in enumerate(rows):
        events.append(Event("treasure", {"clan": pieces.CLANS[clan], **row}))
    winner, seats = winning_clan(state), range(state.settings.players)
    state.result = Outcome(
        f"{pieces.CLANS[winner]}-won" if winner >= 0 else "nobody-won",
        tuple(seat for seat in seats if state.works_for(seat) == winner),
        rule,
        tuple(rows[state.works_for(seat)]["value"] for seat in seats),
    )


def treasure(state: Position) -> list[dict[str, int]]:
    """Each clan's saved gold, the dwarves working against it, the value (DC-SCORE-03 to DC-SCORE-06)."""
    sides = [state.works_for(seat) for seat in range(state.settings.players)]
    gold = [sum(state.gold[seat] for seat in state.left if sides[seat] == clan) for clan in range(2)]
    against = [sum(side != clan for side in sides) for clan in range(2)]
    return [{"gold": g, "against": a, "value": g * a} for g, a in zip(gold, against, strict=True)]


def winning_clan(state: Position) -> int:
    """The clan with the more valuable treasure, -1 for none (DC-SCORE-07 to DC-SCORE-09)."""
    yellow, blue = (row["value"] for row in treasure(state))
    if yellow != blue:
        return 0 if yellow > blue else 1
    return state.works_for(state.left[0]) if state.left else -1
