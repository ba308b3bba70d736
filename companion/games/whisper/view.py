"""What each viewer of Whisper may know (ledger section 5.6), built up from nothing.

There are four views: a stranger's, the killer's, the survivors' team's, and in variant 2 a single survivor's.
What the other side does in secret shows as one coarse phase, so that nobody can count hidden actions.
"""

from __future__ import annotations

from typing import Any

from companion.engine.action import TABLE, Viewer
from companion.engine.game import View, shared_view
from companion.engine.grid import cells_of
from companion.engine.state import Need
from companion.games.whisper.actions import main_steps
from companion.games.whisper.agenda import CHANCE_STEPS, KILLERS_STEPS, NOTES, Whisper
from companion.games.whisper.defence import dice_to_roll, skill_audience, weapon_bonus
from companion.games.whisper.killer import is_timed
from companion.games.whisper.parts import DEAD, IN, NOBODY
from companion.games.whisper.pieces import (
    CARDS,
    FIRST_PASSAGE,
    IN_PLAY,
    ITEMS,
    KILLERS,
    LOCATIONS,
    PLANS,
    SKILLS,
    SURVIVORS,
    THINGS,
    TOKENS,
    reach,
)
from companion.games.whisper.position import KILLER_SEAT

STATES = ("in", "dead", "escaped")
"""What became of a survivor, as the view says it."""
HIDDEN_STEPS = frozenset(
    (
        *("pick", "active", "found", "shed", "drawn", "hush", "agree", "receive", "plan", "share"),
        *("reporting", "finding", "unpacking"),
    )
)
"""Steps of the survivors' turn that the killer may not tell apart."""


def view(state: Whisper, viewer: Viewer) -> View:
    """Builds what the viewer may know; a game that is over keeps no secrets."""
    seen = shared_view("whisper", state)
    seen["needs"] = [[need.seat, list(need.verbs)] for need in shown_needs(state, viewer)]
    seen["phase"] = phase(state, viewer)
    seen |= _public(state, viewer)
    over = state.result is not None
    if over or viewer == KILLER_SEAT:
        seen |= _killers(state)
    if over or viewer in state.setup.team:
        seen |= _teams(state, viewer if not over else -1)
    return seen


def drawn_from(state: Whisper) -> str | None:
    """The killer draws and mills from one deck."""
    return "killer" if state.todo and state.todo[-1][0] in ("drawing", "milling") else None


# Who acts, as far as a viewer may know ----------------------------------------------------------


def shown_needs(state: Whisper, viewer: Viewer) -> tuple[Need, ...]:
    """The viewer's own needs in full; those of the other side as one coarse fact."""
    needs = state.needs()
    own = tuple(need for need in needs if need.seat == viewer)
    if own or not needs:
        return own
    name = state.todo[-1][0]
    if name in ("rolling", "token"):
        return tuple(need for need in needs if need.seat == TABLE)
    team = tuple(Need(seat, ()) for seat in state.setup.team)
    killers = _is_killers(state)
    if viewer == KILLER_SEAT:
        return needs if killers and needs[0].seat == TABLE else team
    if viewer not in state.setup.team:
        return (Need(KILLER_SEAT, ()),) if killers else team
    if killers or (name == "choose" and state.cast):
        return (Need(KILLER_SEAT, ()),)
    return tuple(
        need if need.seat == TABLE else Need(need.seat, ()) for need in needs if need.seat != KILLER_SEAT
    )


def _is_killers(state: Whisper) -> bool:
    """Says whether the game waits for the killer or for the killer's cards."""
    frame = state.todo[-1]
    if frame[0] == "learning":
        return bool(frame[1] == NOBODY)
    return frame[0] in KILLERS_STEPS or frame[0] in ("drawing", "milling")


def phase(state: Whisper, viewer: Viewer) -> str:
    """Names what goes on: in full to those whom it concerns, else coarsely."""
    if state.result is not None:
        return "over"
    name: str = state.todo[-1][0]
    concerned = any(need.seat == viewer and set(need.verbs).difference(NOTES) for need in state.needs())
    if not concerned and name in CHANCE_STEPS:
        mine = viewer == KILLER_SEAT if _is_killers(state) else viewer in state.setup.team
        concerned = mine or name in ("rolling", "token")
    if concerned:
        return name
    if not state.round:
        return "setup"
    if state.fight.met:
        return "encounter"
    return "killer-acts" if state.killer_turn else "survivors-act"


# What everybody sees ----------------------------------------------------------------------------


def _public(state: Whisper, viewer: Viewer) -> View:
    announced = state.killer.kind >= 0 and bool(state.cast) and not _is_choosing(state)
    return {
        "players": state.setup.players,
        "crossroads": state.setup.solo,
        "round": state.round,
        "side": "killer" if state.killer_turn else "survivors",
        "killer": _killer_figure(state) if announced else None,
        "survivors": [_tile(state, i) for i in range(IN_PLAY)] if announced else [],
        "keys": state.keys,
        "rescue": state.house.rescue if state.house.rescue >= 0 else None,
        "barricades": [FIRST_PASSAGE + passage for passage in cells_of(state.house.barricades)],
        "noise": list(cells_of(state.house.noise)),
        "noise_last": list(cells_of(state.house.last_noise)),
        "firecracker": state.house.cracker if state.house.cracker >= 0 else None,
        "playing": CARDS[state.killer.playing] if state.killer.playing >= 0 else "",
        "encounter": _encounter(state, viewer) if state.fight.met else None,
        "question": _question(state) if state.killer.asked else None,
        "token": state.name(state.first) if state.first >= 0 else None,
        "hand_size": len(state.killer.hand) if state.setup.tell_hand else None,
    }


def _question(state: Whisper) -> View:
    """What the killer last asked this turn, and the answer he got."""
    return {"cells": list(cells_of(state.killer.asked)), "survivors": state.names(state.killer.named)}


def _is_choosing(state: Whisper) -> bool:
    return bool(state.todo) and state.todo[-1][0] == "choose"


def _killer_figure(state: Whisper) -> View:
    skills = [SKILLS[skill] for skill in cells_of(state.killer.skills)] if state.skills_shown else []
    return {
        "id": KILLERS[state.killer.kind],
        "level": state.killer.level,
        "strength": state.strength(),
        "base": state.killer.base,
        "cell": None if state.killer.hidden else state.killer.at,
        "hidden": state.killer.hidden,
        "last_cell": state.killer.known,
        "stealth_card": CARDS[state.killer.stealth_card] if state.killer.stealth_card >= 0 else "",
        "skills": skills,
    }


def _tile(state: Whisper, i: int) -> View:
    board = state.box.survivors[state.cast[i]]
    return {
        "id": board.id,
        "colour": board.colour,
        "health": state.team[i].health,
        "fear": state.team[i].fear,
        "state": STATES[state.team[i].fate],
        "slots": board.slots,
        "advantages": list(board.advantages),
    }


def _encounter(state: Whisper, viewer: Viewer) -> View:
    """The fight as the viewer sees it: a skill is the survivors' own affair (WW-BOOK-01)."""
    is_skill = state.fight.guards >= len(ITEMS)
    knows = not is_skill or viewer in skill_audience(state, state.fight.defender)
    return {
        "cell": state.killer.at,
        "met": state.names(state.fight.met),
        "attacked": state.names(state.fight.attacked),
        "defender": state.name(state.fight.defender) if state.fight.defender >= 0 else None,
        "thing": THINGS[state.fight.guards] if state.fight.guards >= 0 and knows else "",
        "defence": state.fight.defence - (0 if knows else weapon_bonus(state)),
        "dice": list(state.fight.dice),
        "to_roll": dice_to_roll(state) if state.fight.defender >= 0 else None,
    }


# The killer's side ------------------------------------------------------------------------------


def _killers(state: Whisper) -> View:
    dealt = [SKILLS[s] for s in state.skills_dealt if state.box.skills[s].side == "killer"]
    return {
        "my_killer": KILLERS[state.killer.kind] if state.killer.kind >= 0 else None,
        "at": state.killer.at,
        "hand": sorted(CARDS[card] for card in state.killer.hand),
        "deck_size": state.killer.deck_size,
        "deck": {CARDS[card]: n for card, n in enumerate(state.killer.deck) if n},
        "discard": [CARDS[card] for card in state.killer.spent],
        "locked": CARDS[state.box.killers[state.killer.kind].locked]
        if state.killer.locked and state.killer.kind >= 0
        else None,
        "cards": _card_facts(state),
        "my_skills": [SKILLS[skill] for skill in cells_of(state.killer.skills)],
        "skills_used": [SKILLS[skill] for skill in cells_of(state.skills_used & state.killer.skills)],
        "skills_dealt": dealt,
        "notes": {TOKENS[i]: LOCATIONS[at] for i, at in enumerate(state.notes) if at >= 0},
        "guess": state.guess,
        "possible": _possible(state),
        "walk": _walk(state),
    }


def _card_facts(state: Whisper) -> dict[str, Any]:
    """Step and price of each of the killer's cards, as they are now."""
    return {
        card.id: {
            "steps": [t for t in ("fast", "boost", "plan", "attack") if is_timed(state, i, t)],
            "cost": card.cost,
        }
        for i, card in enumerate(state.box.cards)
        if card.killer == state.killer.kind
    }


def _possible(state: Whisper) -> list[list[int]] | None:
    """Where each survivor can be, from public facts alone."""
    if state.clues is None:
        return None
    return [
        list(cells_of(state.clues.possible(i))) if state.team[i].fate == IN else [] for i in range(IN_PLAY)
    ]


def _walk(state: Whisper) -> list[int]:
    """Steps done, least and most of the move under way."""
    if state.todo and state.todo[-1][0] == "walk":
        return [int(n) for n in state.todo[-1][1:4]]
    return []


# The survivors' side ----------------------------------------------------------------------------


def _teams(state: Whisper, viewer: Viewer) -> View:
    """What the team shares; a single survivor of variant 2 sees less of the others."""
    sees = [_sees(state, viewer, i) for i in range(IN_PLAY)]
    frame = state.todo[-1] if state.todo else ("over",)
    drawer = int(frame[1]) if frame[0] in ("found", "drawn", "hush", "unpacking") else -1
    sees_drawn = not state.setup.solo or viewer in (-1, 1 + drawer)
    return {
        "my_survivors": [SURVIVORS[who] for who in state.cast],
        "places": [survivor.place for survivor in state.team],
        "bags": [
            [ITEMS[item] for item in sorted(survivor.bag)] if sees[i] else None
            for i, survivor in enumerate(state.team)
        ],
        "bag_sizes": [len(survivor.bag) for survivor in state.team],
        "own_keys": [survivor.keys for survivor in state.team],
        "pile": sorted(ITEMS[item] for item in state.stock.pile),
        "equipment_left": state.stock.equipment_size,
        "search_left": state.stock.search_left(),
        "gears": state.house.gears,
        "repaired": state.house.repaired,
        "pending": list(cells_of(state.house.pending)),
        "firecracker_lit": state.house.cracker_set,
        "trap": state.house.trap if state.house.trap >= 0 else None,
        "drawn": [ITEMS[item] for item in state.stock.drawn] if sees_drawn else None,
        "active": state.name(state.active) if state.active >= 0 else None,
        "asked": state.name(int(frame[1])) if frame[0] in _ASKS and int(frame[1]) >= 0 else None,
        "acted": state.names(state.acted) if state.cast else [],
        "main_done": state.main_done,
        "reach": _reach(state, sees),
        "roll": list(state.fight.dice),
        "skills": [
            [SKILLS[skill] for skill in cells_of(survivor.skills)] if sees[i] else None
            for i, survivor in enumerate(state.team)
        ],
        "used_skills": [SKILLS[s] for s in cells_of(state.skills_used & _own_skills(state, sees))],
        "skills_dealt": _dealt(state, viewer),
        "plans": [PLANS[plan] for plan in state.plan.dealt],
        "plan": PLANS[state.plan.kind] if state.plan.kind >= 0 else None,
        "line": state.plan.line,
        "plan_done": state.plan.done,
        "marker": state.plan.marker if state.plan.marker >= 0 else None,
        "answer": _answer(state),
    }


_ASKS = frozenset(("active", "found", "shed", "drawn", "hush", "agree", "guard", "ward", "flee", "hero"))
"""Frames that ask one survivor."""


def _sees(state: Whisper, viewer: Viewer, i: int) -> bool:
    """Says whether a viewer of the survivors' side sees what a survivor carries (AMB-36)."""
    hides = state.setup.solo and state.setup.private and state.team[i].fate != DEAD
    return not hides or viewer in (-1, 1 + i)


def _own_skills(state: Whisper, sees: list[bool]) -> int:
    mask = 0
    for i in range(IN_PLAY):
        mask |= state.team[i].skills if sees[i] else 0
    return mask


def _dealt(state: Whisper, viewer: Viewer) -> list[str]:
    """The skill cards that a survivor may choose from now."""
    frame = state.todo[-1] if state.todo else ("over",)
    if frame[0] not in ("mastery", "learning") or frame[1] == NOBODY:
        return []
    if state.setup.solo and viewer not in (-1, 1 + frame[1]):
        return []
    return [SKILLS[s] for s in state.skills_dealt]


def _reach(state: Whisper, sees: list[bool]) -> list[int]:
    """Where the main move of the acting survivor, or a flight, can end; it tells of the skills."""
    frame = state.todo[-1] if state.todo else ("over",)
    if frame[0] not in ("active", "flee") or not sees[frame[1]]:
        return []
    i = frame[1]
    if frame[0] == "flee":
        return list(cells_of(reach(state.house.barricades, state.team[i].place, 1, frame[2])))
    if state.main_done:
        return []
    return list(cells_of(reach(state.house.barricades, state.team[i].place, 1, main_steps(state, i))))


def _answer(state: Whisper) -> dict[str, Any] | None:
    """The honest answer that the team is asked to confirm (WW-COMM-11)."""
    if not state.todo or state.todo[-1][0] != "confirm":
        return None
    _, _, area, names = state.todo[-1]
    return {"cells": list(cells_of(area)) if area >= 0 else [], "survivors": state.names(names)}
