"""The encounter: names, offers, attacks one after another, fleeing (ledger section 5.4)."""

from __future__ import annotations

from companion.engine.action import Action, Cell, Seat
from companion.engine.grid import cells_of
from companion.engine.state import Event, Need, Refusal, no
from companion.games.whisper.actions import step
from companion.games.whisper.harm import told_area
from companion.games.whisper.killer import drop_turn
from companion.games.whisper.levels import level_steps
from companion.games.whisper.parts import NOBODY, Fight
from companion.games.whisper.pieces import reach
from companion.games.whisper.position import Position, has_many
from companion.games.whisper.skills import call_skills, own_triggers
from companion.games.whisper.verbs import ACTION, STAY, each
from companion.games.whisper.victory import wins_by_empty_search

FACE = ("face",)


def names_told(state: Position, events: list[Event], from_reveal: bool) -> None:
    """All names in the killer's location are told, Anna's too (WW-CLASH-01 to 03)."""
    killer = state.killer
    here = 1 << killer.at
    met = state.those(here)
    killer.asked, killer.named = here, met
    events.append(Event("searched", {"cell": killer.at, "survivors": state.names(met)}))
    told_area(state, here, met)
    if met:
        _meet(state, met, from_reveal)
    else:
        wins_by_empty_search(state, events)


def _meet(state: Position, met: int, from_reveal: bool) -> None:
    """Begins an encounter; the rest of the turn but the draw is lost (WW-CLASH-18, WW-CARD-04)."""
    drop_turn(state)
    state.killer.fought = True
    state.fight = state.fight._replace(met=met, attacked=0)
    named = [("run", effects, NOBODY, skill) for skill, effects in own_triggers(state, "encounter_named")]
    heroes = [("hero", i) for i in cells_of(met)] if state.setup.skills and has_many(met) else []
    reveal = level_steps(state, "reveal_encounter") if from_reveal else []
    opening = (("open-encounter",), ("attack",), ("flee-all",), ("encounter-over",))
    state.push(*reveal, *named, *heroes, *opening)


def open_encounter(state: Position, events: list[Event]) -> None:
    """Effects at the start: fear first, wounds after it (WW-CLASH-04)."""
    met = state.names(state.fight.met)
    events.append(Event("encounter-began", {"cell": state.killer.at, "survivors": met}))
    state.push(*level_steps(state, "encounter_start"))


# Attacks ---------------------------------------------------------------------------------------


def to_attack(state: Position) -> int:
    """The survivors who were met, live, and were not attacked yet."""
    return state.fight.met & ~state.fight.attacked & state.living()


def attack(state: Position, events: list[Event]) -> None:
    """The next attack, if anybody met was not attacked yet (WW-CLASH-05, 16, 17, 21)."""
    state.killer.attack_bonus = 0
    fight = state.fight
    state.fight = Fight(met=fight.met, attacked=fight.attacked, dice=fight.dice)
    if not to_attack(state):
        return
    state.push(("choose-defender",))
    own = (card for card in state.box.cards if card.killer == state.killer.kind)
    if any("attack" in card.timings for card in own):
        state.push(("strike",))


def choose_defender(state: Position, events: list[Event]) -> None:
    """The survivors choose who defends, unless only one can (WW-CLASH-07)."""
    left = to_attack(state)
    if has_many(left):
        state.push(("face",))
    else:
        _face(state, next(cells_of(left)), events)


def can_face(state: Position, seat: Seat, who: int) -> Refusal | None:
    i = state.slot(who)
    if i < 0 or not to_attack(state) >> i & 1:
        return no("not-to-attack", "WW-CLASH-07", state.killer.at)
    if state.setup.solo and seat != 1 + i:
        return no("not-your-survivor", "WW-BOOK-06")
    return None


def do_face(state: Position, seat: Seat, who: int) -> list[Event]:
    state.take()
    events: list[Event] = []
    _face(state, state.slot(who), events)
    return events


def _face(state: Position, i: int, events: list[Event]) -> None:
    state.fight = state.fight._replace(defender=i)
    state.push(("guard", i))
    where = {"survivor": state.name(i), "cell": state.killer.at}
    events.append(Event("faced", {**where, "n": state.strength()}))


def list_face(state: Position, seat: Seat) -> list[Action]:
    left = cells_of(to_attack(state))
    return [ACTION["face", state.cast[i]] for i in left if not state.setup.solo or seat == 1 + i]


def who_faces(state: Position) -> tuple[Need, ...]:
    """Variant 2: each of those met decides alone."""
    return tuple(Need(1 + i, FACE) for i in cells_of(to_attack(state)))


# Fleeing ---------------------------------------------------------------------------------------


def flee_all(state: Position, events: list[Event]) -> None:
    """Everybody who was met and lives may flee, attacked or not (WW-FLEE-01, 02)."""
    met = state.fight.met & state.living()
    events.append(Event("encounter-ended", {"survivors": state.names(met)}))
    if state.clues is not None:
        state.clues = state.clues.fled(met, state.house.barricades, 2 if state.setup.skills else 1)
    state.push(*(("flee", i, max(1, state.mod(i, "flee_max")), "flee") for i in cells_of(met)))


def can_flee(state: Position, seat: Seat, to: Cell) -> Refusal | None:
    _, i, high, _ = state.todo[-1]
    here = state.team[i].place
    if reach(state.house.barricades, here, 1, high) >> to & 1:
        return None
    rule = "WW-FLEE-03" if reach(0, here, 1, high) >> to & 1 else "WW-FLEE-01"
    return no("barricade" if rule == "WW-FLEE-03" else "too-far", rule, here, to)


def do_flee(state: Position, seat: Seat, to: Cell) -> list[Event]:
    _, i, _, why = state.take()
    events: list[Event] = []
    step(state, i, to, events)
    if why == "leave":
        state.fight = state.fight._replace(met=state.fight.met & ~(1 << i))
        events.append(Event("left-encounter", {"survivor": state.name(i)}))
    elif why == "flee":
        call_skills(state, i, "after_flee")
    return events


def can_stay(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_stay(state: Position, seat: Seat) -> list[Event]:
    state.take()
    return []


def list_flee(state: Position, seat: Seat, i: int, high: int, why: str) -> list[Action]:
    return [*each("flee", reach(state.house.barricades, state.team[i].place, 1, high)), STAY]


def encounter_over(state: Position, events: list[Event]) -> None:
    """Clears the encounter away; the dice lie until the next round."""
    state.killer.attack_bonus = 0
    state.fight = state.fight._replace(met=0, attacked=0, defender=NOBODY)
