"""A survivor defends: an item, the dice, and what they decide (ledger WW-CLASH, WW-DICE)."""

from __future__ import annotations

from functools import cache
from math import factorial

from companion.engine.action import Action, Seat
from companion.engine.state import Event, Refusal, all_but, no
from companion.games.whisper.pieces import DICE, ITEMS, REPELLED, ROLLS, THINGS, TRAP, WEAPON, WEAPON_THING
from companion.games.whisper.position import Position
from companion.games.whisper.verbs import ACTION, BARE, THROW
from companion.games.whisper.victory import wins_by_defence


def can_guard(state: Position, seat: Seat, thing: int) -> Refusal | None:
    i = state.todo[-1][1]
    if thing == WEAPON_THING:
        own = state.has_skill(i, WEAPON)
        return None if own else no("not-yours", "WW-VAR1-11", thing=THINGS[thing])
    if thing >= len(ITEMS) or not _defends(state, thing):
        return no("no-defence", "WW-ITEM-02", thing=THINGS[thing])
    if thing not in state.team[i].bag:
        return no("no-item", "WW-CLASH-08", item=ITEMS[thing])
    card = state.box.items[thing]
    if card.needs >= 0 and card.needs not in state.team[i].bag:
        return no("needs-other", "WW-ITEM-12", item=ITEMS[thing], other=ITEMS[card.needs])
    if not _bonus(state, i, thing):
        return no("no-effect-alone", "WW-ITEM-13", item=ITEMS[thing])
    return None


def _defends(state: Position, item: int) -> bool:
    return any(use.timing == "defence" for use in state.box.items[item].uses)


def _bonus(state: Position, i: int, item: int) -> int:
    """What an item adds to a defence (WW-CLASH-11)."""
    printed = sum(
        effect[1]
        for use in state.box.items[item].uses
        if use.timing == "defence"
        for effect in use.effects
        if effect[0] == "defence"
    )
    if not printed:
        return 0
    mods = state.team[i].mods.get("item_defence", ())
    return int(printed + sum(mod["n"] for mod in mods if mod["item"] == ITEMS[item]))


def do_guard(state: Position, seat: Seat, thing: int) -> list[Event]:
    """Defends with an item, or in secret with the weapon of a skill (WW-CLASH-08, 11, WW-BOOK-01)."""
    i = state.take()[1]
    state.fight = state.fight._replace(guards=thing, dice=())
    state.push(("rolling",))
    guarded = Event("guarded", {"survivor": state.name(i), "thing": THINGS[thing]})
    if thing != WEAPON_THING:
        _use_item(state, i, thing)
        return [guarded]
    state.skills_used |= 1 << WEAPON
    _defend_better(state, weapon_bonus(state))
    team = skill_audience(state, i)
    bared = Event("bared", {"survivor": state.name(i)}, all_but(state.setup.players, *team))
    return [guarded._replace(audience=team), bared]


def _use_item(state: Position, i: int, item: int) -> None:
    """Adds what an item is worth; some let the killer draw before the roll."""
    card = state.box.items[item]
    _defend_better(state, _bonus(state, i, item))
    if not card.endless:
        state.throw_away(i, item)
    uses = (use for use in card.uses if use.timing == "defence")
    state.push(*(("draw", e[1]) for use in uses for e in use.effects if e[0] == "killer_draw"))


def _defend_better(state: Position, n: int) -> None:
    state.fight = state.fight._replace(defence=state.fight.defence + n)


def skill_audience(state: Position, i: int) -> frozenset[int]:
    """Who may hear that a survivor used a skill: never the killer (WW-BOOK-01)."""
    return state.team_only(i if state.setup.private else -1)


def weapon_bonus(state: Position) -> int:
    """What the secret weapon adds to this defence."""
    if state.fight.guards != WEAPON_THING:
        return 0
    return sum(effect[1] for _, effects in state.box.skills[WEAPON].triggers for effect in effects)


def can_throw(state: Position, seat: Seat) -> Refusal | None:
    i = state.todo[-1][1]
    for mod in state.team[i].mods.get("defence_by_discard", ()):
        if state.fight.thrown:
            return no("used-up", "WW-CLASH-09", thing="molotov")
        if ITEMS.index(mod["item"]) not in state.team[i].bag:
            return no("no-item", "WW-CLASH-08", item=mod["item"])
        return None
    return no("plan-not-done", "WW-VAR3-09", plan="molotov")


def do_throw(state: Position, seat: Seat) -> list[Event]:
    i = state.todo[-1][1]
    mod = state.team[i].mods["defence_by_discard"][0]
    state.throw_away(i, ITEMS.index(mod["item"]))
    state.fight = state.fight._replace(thrown=True)
    _defend_better(state, mod["n"])
    return [Event("threw", {"survivor": state.name(i), "item": mod["item"]})]


def can_bare(state: Position, seat: Seat) -> Refusal | None:
    return None


def do_bare(state: Position, seat: Seat) -> list[Event]:
    i = state.take()[1]
    state.fight = state.fight._replace(dice=())
    state.push(("rolling",))
    return [Event("bared", {"survivor": state.name(i)})]


def list_guard(state: Position, seat: Seat, i: int) -> list[Action]:
    found = [BARE]
    found += [
        ACTION["guard", item] for item in set(state.team[i].bag) if can_guard(state, seat, item) is None
    ]
    if state.has_skill(i, WEAPON):
        found.append(ACTION["guard", WEAPON_THING])
    if state.plan.done and can_throw(state, seat) is None:
        found.append(THROW)
    return found


# The dice -------------------------------------------------------------------------------------


def dice_to_roll(state: Position) -> int:
    """Four dice less one for each fear token (WW-DICE-01, 02)."""
    return DICE - state.team[state.fight.defender].fear


def can_roll(state: Position, seat: Seat, roll: int) -> Refusal | None:
    dice = ROLLS[roll]
    if len(dice) != dice_to_roll(state):
        return no("wrong-dice", "WW-DICE-01", n=dice_to_roll(state))
    if any(die not in state.box.faces for die in dice):
        return no("no-such-face", "WW-DICE-04")
    return None


def do_roll(state: Position, seat: Seat, roll: int) -> list[Event]:
    """Compares the defence with the killer's strength (WW-CLASH-12 to 15, WW-TRAP-02)."""
    state.take()
    fight = state.fight
    i, dice = fight.defender, ROLLS[roll]
    state.fight = fight._replace(dice=dice, attacked=fight.attacked | 1 << i)
    is_sprung = state.house.trap == state.killer.at
    total = sum(dice) + fight.defence + _unarmed(state, i) + is_sprung * TRAP
    strength = state.strength()
    where = {"survivor": state.name(i), "cell": state.killer.at}
    blanks = {**where, "dice": list(dice), "more": total - sum(dice), "total": total, "n": strength}
    events = [Event("rolled", blanks)]
    if is_sprung:
        state.house.trap = -1
        events.append(Event("trap-sprung", where))
    is_lucky = state.has_mod(i, "auto_success") and not any(dice)
    if total >= strength or is_lucky:
        events.append(Event("repelled", {**where, "n": REPELLED}))
        if not wins_by_defence(state, total - strength, events):
            state.push(("mill", REPELLED))
    else:
        events.append(Event("hit", where))
        state.push(("hurt", i, "encounter"), ("attack",))
    return events


def _unarmed(state: Position, i: int) -> int:
    """What a survivor gets for using no item (WW-CHAR-06, WW-VAR1-18)."""
    guards = state.fight.guards
    is_armed = guards >= 0
    has_weapon = is_armed and (guards >= len(ITEMS) or state.box.items[guards].weapon)
    return sum(
        mod["n"]
        for mod in state.team[i].mods.get("defence_no_item", ())
        if not (has_weapon if mod.get("if") == "no_weapon" else is_armed)
    )


def rolls(state: Position) -> list[tuple[Action, int]]:
    """Every roll of the defender's dice with its number of ways."""
    return list(_ways(state.box.faces, dice_to_roll(state)))


@cache
def _ways(faces: tuple[int, ...], dice: int) -> tuple[tuple[Action, int], ...]:
    return tuple(
        (ACTION["roll", i], ways_to_roll(roll, faces))
        for i, roll in enumerate(ROLLS)
        if len(roll) == dice and all(die in faces for die in roll)
    )


def ways_to_roll(roll: tuple[int, ...], faces: tuple[int, ...]) -> int:
    """In how many ways dice with these faces show a roll, its order aside."""
    ways = factorial(len(roll))
    for face in set(roll):
        n = roll.count(face)
        ways = ways // factorial(n) * faces.count(face) ** n
    return ways
