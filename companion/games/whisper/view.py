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
from companion.games.whisper.base import DEAD, IN, KILLER_SEAT, KILLER_WAITS, TABLE_WAITS
from companion.games.whisper.harm import NOBODY
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
from companion.games.whisper.rules import Whisper

STATES = ("in", "dead", "escaped")
"""What became of a survivor, as the view says it."""


def view(state: Whisper, viewer: Viewer) -> View:
    """Builds what the viewer may know; a game that is over keeps no secrets."""
    seen = shared_view("whisper", state)
    seen["needs"] = [[need.seat, list(need.verbs)] for need in shown_needs(state, viewer)]
    seen["phase"] = phase(state, viewer)
    seen |= _public(state, viewer)
    over = state.ended is not None
    if over or viewer == KILLER_SEAT:
        seen |= _killers(state)
    if over or viewer in state.setup.team:
        seen |= _teams(state, viewer if not over else -1)
    return seen


def drawn_from(state: Whisper) -> str | None:
    """The killer draws and mills from one deck."""
    return "killer" if state.stack and state.frame()[0] in ("drawing", "milling") else None


# Who acts, as far as a viewer may know ----------------------------------------------------------


def shown_needs(state: Whisper, viewer: Viewer) -> tuple[Need, ...]:
    """The viewer's own needs in full; those of the other side as one coarse fact."""
    needs = state.needs()
    own = tuple(need for need in needs if need.seat == viewer)
    if own or not needs:
        return own
    name = state.frame()[0]
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
    frame = state.frame()
    if frame[0] == "learning":
        return bool(frame[1] == NOBODY)
    return frame[0] in KILLER_WAITS or frame[0] in ("drawing", "milling")


def phase(state: Whisper, viewer: Viewer) -> str:
    """Names what goes on: in full to those whom it concerns, else coarsely."""
    if state.ended is not None:
        return "over"
    name: str = state.frame()[0]
    concerned = any(need.seat == viewer and set(need.verbs) - {"note", "guess"} for need in state.needs())
    if not concerned and name in TABLE_WAITS:
        mine = viewer == KILLER_SEAT if _is_killers(state) else viewer in state.setup.team
        concerned = mine or name in ("rolling", "token")
    if concerned:
        return name
    if not state.round:
        return "setup"
    if state.met:
        return "encounter"
    return "killer-acts" if state.killer_turn else "survivors-act"


# What everybody sees ----------------------------------------------------------------------------


def _public(state: Whisper, viewer: Viewer) -> View:
    announced = state.killer >= 0 and bool(state.cast) and not _is_choosing(state)
    return {
        "players": state.setup.players,
        "crossroads": state.setup.solo,
        "round": state.round,
        "side": "killer" if state.killer_turn else "survivors",
        "killer": _killer_figure(state) if announced else None,
        "survivors": [_tile(state, i) for i in range(IN_PLAY)] if announced else [],
        "keys": state.keys,
        "rescue": state.rescue if state.rescue >= 0 else None,
        "barricades": [FIRST_PASSAGE + passage for passage in cells_of(state.barricades)],
        "noise": list(cells_of(state.noise)),
        "noise_last": list(cells_of(state.last_noise)),
        "firecracker": state.cracker if state.cracker >= 0 else None,
        "playing": CARDS[state.playing] if state.playing >= 0 else "",
        "encounter": _encounter(state, viewer) if state.met else None,
        "question": _question(state) if state.asked else None,
        "token": state.name(state.first) if state.first >= 0 else None,
        "hand_size": len(state.hand) if state.setup.tell_hand else None,
    }


def _question(state: Whisper) -> View:
    """What the killer last asked this turn, and the answer he got."""
    return {"cells": list(cells_of(state.asked)), "survivors": state.names(state.named)}


def _is_choosing(state: Whisper) -> bool:
    return bool(state.stack) and state.frame()[0] == "choose"


def _killer_figure(state: Whisper) -> View:
    skills = [SKILLS[skill] for skill in cells_of(state.killer_skills)] if state.shown else []
    return {
        "id": KILLERS[state.killer],
        "level": state.level,
        "strength": state.strength(),
        "base": state.base,
        "cell": None if state.hidden else state.at,
        "hidden": state.hidden,
        "last_cell": state.known,
        "stealth_card": CARDS[state.stealth_card] if state.stealth_card >= 0 else "",
        "skills": skills,
    }


def _tile(state: Whisper, i: int) -> View:
    board = state.box.survivors[state.cast[i]]
    return {
        "id": board.id,
        "colour": board.colour,
        "health": state.health[i],
        "fear": state.fear[i],
        "state": STATES[state.gone[i]],
        "slots": board.slots,
        "advantages": list(board.advantages),
    }


def _encounter(state: Whisper, viewer: Viewer) -> View:
    """The fight as the viewer sees it: a skill is the survivors' own affair (WW-BOOK-01)."""
    is_skill = state.guards >= len(ITEMS)
    knows = not is_skill or viewer in state.skill_audience(state.defender)
    return {
        "cell": state.at,
        "met": state.names(state.met),
        "attacked": state.names(state.attacked),
        "defender": state.name(state.defender) if state.defender >= 0 else None,
        "thing": THINGS[state.guards] if state.guards >= 0 and knows else "",
        "defence": state.defence - (0 if knows else state.weapon_bonus()),
        "dice": list(state.dice),
        "to_roll": state.dice_to_roll() if state.defender >= 0 else None,
    }


# The killer's side ------------------------------------------------------------------------------


def _killers(state: Whisper) -> View:
    dealt = [SKILLS[s] for s in state.dealt if state.box.skills[s].side == "killer"]
    return {
        "my_killer": KILLERS[state.killer] if state.killer >= 0 else None,
        "at": state.at,
        "hand": sorted(CARDS[card] for card in state.hand),
        "deck_size": state.deck_size,
        "deck": {CARDS[card]: n for card, n in enumerate(state.deck) if n},
        "discard": [CARDS[card] for card in state.spent],
        "locked": CARDS[state.box.killers[state.killer].locked]
        if state.locked and state.killer >= 0
        else None,
        "cards": _card_facts(state),
        "my_skills": [SKILLS[skill] for skill in cells_of(state.killer_skills)],
        "skills_used": [SKILLS[skill] for skill in cells_of(state.used & state.killer_skills)],
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
            "steps": [t for t in ("fast", "boost", "plan", "attack") if state.is_timed(i, t)],
            "cost": card.cost,
        }
        for i, card in enumerate(state.box.cards)
        if card.killer == state.killer
    }


def _possible(state: Whisper) -> list[list[int]] | None:
    """Where each survivor can be, from public facts alone."""
    if state.clues is None:
        return None
    return [list(cells_of(state.clues.possible(i))) if state.gone[i] == IN else [] for i in range(IN_PLAY)]


def _walk(state: Whisper) -> list[int]:
    """Steps done, least and most of the move under way."""
    if state.stack and state.frame()[0] == "walk":
        return [int(n) for n in state.frame()[1:4]]
    return []


# The survivors' side ----------------------------------------------------------------------------


def _teams(state: Whisper, viewer: Viewer) -> View:
    """What the team shares; a single survivor of variant 2 sees less of the others."""
    sees = [_sees(state, viewer, i) for i in range(IN_PLAY)]
    frame = state.stack[-1] if state.stack else ("over",)
    drawer = int(frame[1]) if frame[0] in ("found", "drawn", "hush", "unpacking") else -1
    sees_drawn = not state.setup.solo or viewer in (-1, 1 + drawer)
    return {
        "my_survivors": [SURVIVORS[who] for who in state.cast],
        "places": list(state.places),
        "bags": [[ITEMS[i] for i in sorted(bag)] if sees[i_] else None for i_, bag in enumerate(state.bags)],
        "bag_sizes": [len(bag) for bag in state.bags],
        "own_keys": list(state.own_keys),
        "pile": sorted(ITEMS[item] for item in state.pile),
        "equipment_left": state.equipment_size,
        "search_left": state.search_left(),
        "gears": state.gears,
        "repaired": state.repaired,
        "pending": list(cells_of(state.pending)),
        "firecracker_lit": state.cracker_set,
        "trap": state.trap if state.trap >= 0 else None,
        "drawn": [ITEMS[item] for item in state.drawn] if sees_drawn else None,
        "active": state.name(state.active) if state.active >= 0 else None,
        "asked": state.name(int(frame[1])) if frame[0] in _ASKS and int(frame[1]) >= 0 else None,
        "acted": state.names(state.acted) if state.cast else [],
        "main_done": state.main_done,
        "reach": _reach(state, sees),
        "roll": list(state.dice),
        "skills": [
            [SKILLS[skill] for skill in cells_of(mask)] if sees[i] else None
            for i, mask in enumerate(state.skills)
        ],
        "used_skills": [SKILLS[s] for s in cells_of(state.used & _own_skills(state, sees))],
        "skills_dealt": _dealt(state, viewer),
        "plans": [PLANS[plan] for plan in state.plans],
        "plan": PLANS[state.plan] if state.plan >= 0 else None,
        "line": state.line,
        "plan_done": state.plan_done,
        "marker": state.marker if state.marker >= 0 else None,
        "answer": _answer(state),
    }


_ASKS = frozenset(("active", "found", "shed", "drawn", "hush", "agree", "guard", "ward", "flee", "hero"))
"""Frames that ask one survivor."""


def _sees(state: Whisper, viewer: Viewer, i: int) -> bool:
    """Says whether a viewer of the survivors' side sees what a survivor carries (AMB-36)."""
    hides = state.setup.solo and state.setup.private and state.gone[i] != DEAD
    return not hides or viewer in (-1, 1 + i)


def _own_skills(state: Whisper, sees: list[bool]) -> int:
    mask = 0
    for i in range(IN_PLAY):
        mask |= state.skills[i] if sees[i] else 0
    return mask


def _dealt(state: Whisper, viewer: Viewer) -> list[str]:
    """The skill cards that a survivor may choose from now."""
    frame = state.stack[-1] if state.stack else ("over",)
    if frame[0] not in ("mastery", "learning") or frame[1] == NOBODY:
        return []
    if state.setup.solo and viewer not in (-1, 1 + frame[1]):
        return []
    return [SKILLS[s] for s in state.dealt]


def _reach(state: Whisper, sees: list[bool]) -> list[int]:
    """Where the main move of the acting survivor, or a flight, can end; it tells of the skills."""
    frame = state.stack[-1] if state.stack else ("over",)
    if frame[0] not in ("active", "flee") or not sees[frame[1]]:
        return []
    i = frame[1]
    if frame[0] == "flee":
        return list(cells_of(reach(state.barricades, state.places[i], 1, frame[2])))
    if state.main_done:
        return []
    return list(cells_of(reach(state.barricades, state.places[i], 1, state.main_steps(i))))


def _answer(state: Whisper) -> dict[str, Any] | None:
    """The honest answer that the team is asked to confirm (WW-COMM-11)."""
    if not state.stack or state.frame()[0] != "confirm":
        return None
    _, _, area, names = state.frame()
    return {"cells": list(cells_of(area)) if area >= 0 else [], "survivors": state.names(names)}
