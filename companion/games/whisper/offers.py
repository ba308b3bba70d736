"""What may be accepted for a price, or declined: skills and levels at their moment."""

from __future__ import annotations

from collections.abc import Callable

from companion.engine.action import Action, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Refusal, no
from companion.games.whisper.data import Effect, Effects
from companion.games.whisper.noise import make_noise
from companion.games.whisper.parts import NOBODY
from companion.games.whisper.pieces import HERO, HUSH, OFFERS, SKILLS
from companion.games.whisper.position import Position
from companion.games.whisper.skills import own_triggers
from companion.games.whisper.verbs import ACTION, DECLINE, NEXT


def start_skills(state: Position, events: list[Event]) -> None:
    """Skills at the start of the killer's turn (WW-VAR1-13)."""
    moments = ("turn_start", "turn_start_open") if state.killer.opened else ("turn_start",)
    _offer_skills(state, "start-offers", moments)


def end_skills(state: Position, events: list[Event]) -> None:
    """Skills at the end of a quiet turn, before the draw (WW-VAR1-14)."""
    if not state.killer.fought and not state.killer.hidden:
        _offer_skills(state, "ending-offers", ("turn_end_quiet",))


def _offer_skills(state: Position, name: str, moments: tuple[str, ...]) -> None:
    called = own_triggers(state, *moments)
    offered = tuple(skill for skill, effects in called if effects[0][0] == "may")
    forced = [("run", effects, NOBODY, skill) for skill, effects in called if skill not in offered]
    state.push(*forced, (name, offered))


def start_offers(state: Position, events: list[Event], offered: tuple[int, ...]) -> None:
    """Asks which of the offered skills the killer uses, as long as there are any."""
    if offered:
        state.push(("start", offered))


def ending_offers(state: Position, events: list[Event], offered: tuple[int, ...]) -> None:
    """The same at the end of the turn, unless he has hidden himself."""
    if offered and not state.killer.hidden:
        state.push(("ending", offered))


def op_may(state: Position, events: list[Event], effect: Effect, about: int, source: int) -> None:
    """Offers something for a price; asked even of too small a hand, so that the asking tells nothing."""
    state.push(("offer", source, effect[1], effect[2], about))


# Accepting and declining -----------------------------------------------------------------------


def can_accept(state: Position, seat: Seat, offer: int) -> Refusal | None:
    name, *facts = state.todo[-1]
    return _OFFERS[name][0](state, offer, *facts)


def do_accept(state: Position, seat: Seat, offer: int) -> list[Event]:
    name, *facts = state.take()
    return _OFFERS[name][1](state, offer, *facts)


def can_decline(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_decline(state: Position, seat: Seat) -> list[Event]:
    name, *facts = state.take()
    if name != "hush":
        return []
    events: list[Event] = []
    make_noise(state, state.team[facts[0]].place, facts[0], (), events)
    return events


def _not_offered(offer: int, rule: str) -> Refusal:
    return no("not-offered", rule, offer=OFFERS[offer])


# Skills of the survivors -----------------------------------------------------------------------


def _can_hush(state: Position, offer: int, i: int) -> Refusal | None:
    return None if offer == HUSH else _not_offered(offer, "WW-VAR1-11")


def _hush(state: Position, offer: int, i: int) -> list[Event]:
    """The noise of the equipment is not made."""
    state.skills_used |= 1 << HUSH
    return [Event("hushed", {"survivor": state.name(i)}, state.team_only())]


def _can_shield(state: Position, offer: int, i: int) -> Refusal | None:
    return None if offer == HERO and state.has_skill(i, HERO) else _not_offered(offer, "WW-VAR1-11")


def _shield(state: Position, offer: int, i: int) -> list[Event]:
    """Heroic Save: the others may step out of the encounter (WW-VAR1-16)."""
    if state.box.skills[HERO].once:
        state.skills_used |= 1 << HERO
    others = state.fight.met & ~(1 << i)
    if state.clues is not None:
        state.clues = state.clues.fled(others, state.house.barricades, 1)
    state.push(*(("flee", j, 1, "leave") for j in cells_of(others)))
    return [Event("shielded", {"survivor": state.name(i)}, state.team_only())]


# Skills and levels of the killer ---------------------------------------------------------------


def _can_afford(state: Position, offer: int, pay: int) -> Refusal | None:
    if len(state.killer.hand) < pay:
        return no("cannot-pay", "WW-COST-03", card=OFFERS[offer], n=pay)
    return None


def _can_take(
    state: Position, offer: int, source: int, pay: int, effects: Effects, about: int
) -> Refusal | None:
    return _can_afford(state, offer, pay) if offer == source else _not_offered(offer, "WW-VAR1-13")


def _take(state: Position, offer: int, source: int, pay: int, effects: Effects, about: int) -> list[Event]:
    """Pays for an offer and carries it out."""
    if offer < len(SKILLS):
        if state.box.skills[offer].once:
            state.skills_used |= 1 << offer
        if state.box.skills[offer].per_round:
            state.skills_used_now |= 1 << offer
    state.push(*([("pay", pay)] if pay else []), ("run", effects, about, NOBODY))
    return [Event("accepted", {"offer": OFFERS[offer], "cost": pay})]


def _may(state: Position, skill: int) -> Effect:
    """The optional effect of a killer skill that is offered at the start or end of a turn."""
    return next(e for _, effects in state.box.skills[skill].triggers for e in effects if e[0] == "may")


def _can_take_skill(state: Position, offer: int, offered: tuple[int, ...]) -> Refusal | None:
    if offer not in offered:
        return _not_offered(offer, "WW-VAR1-13")
    return _can_afford(state, offer, _may(state, offer)[1])


def _take_skill(state: Position, offer: int, offered: tuple[int, ...], again: str) -> list[Event]:
    """Takes one of several skills; the others are offered again after it."""
    _, pay, effects = _may(state, offer)
    state.push((again, tuple(skill for skill in offered if skill != offer)))
    return _take(state, offer, offer, pay, effects, NOBODY)


def _take_at_start(state: Position, offer: int, offered: tuple[int, ...]) -> list[Event]:
    return _take_skill(state, offer, offered, "start-offers")


def _take_at_end(state: Position, offer: int, offered: tuple[int, ...]) -> list[Event]:
    return _take_skill(state, offer, offered, "ending-offers")


_OFFERS: dict[str, tuple[Callable[..., Refusal | None], Callable[..., list[Event]]]] = {
    "hush": (_can_hush, _hush),
    "hero": (_can_shield, _shield),
    "offer": (_can_take, _take),
    "start": (_can_take_skill, _take_at_start),
    "ending": (_can_take_skill, _take_at_end),
}
"""Which steps offer something: whether it may be accepted, and what accepting it does."""


# Lists of actions ------------------------------------------------------------------------------


def list_skills(state: Position, seat: Seat, offered: tuple[int, ...]) -> list[Action]:
    size = len(state.killer.hand)
    return [*(ACTION["accept", skill] for skill in offered if _may(state, skill)[1] <= size), NEXT]


def list_offer(
    state: Position, seat: Seat, source: int, pay: int, effects: Effects, about: int
) -> list[Action]:
    return [ACTION["accept", source], DECLINE] if pay <= len(state.killer.hand) else [DECLINE]


def list_hush(state: Position, seat: Seat, i: int) -> list[Action]:
    return [ACTION["accept", HUSH], DECLINE]


def list_hero(state: Position, seat: Seat, i: int) -> list[Action]:
    return [ACTION["accept", HERO], DECLINE] if state.has_skill(i, HERO) else [DECLINE]
