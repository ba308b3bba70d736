"""What the pieces of the box are called, in English and Russian."""

from __future__ import annotations

SYMBOL_WORDS = {
    "G": ("green", "зелёный"),
    "B": ("blue", "синий"),
    "R": ("red", "красный"),
    "Y": ("yellow", "жёлтый"),
    "P": ("purple", "фиолетовый"),
}
COMMANDER_WORDS = {
    "sapper": ("Master Sapper", "Старший минёр"),
    "necromancer": ("Necromancer", "Некромант"),
    "peacemaker": ("Peacemaker", "Миротворец"),
    "emperor": ("Skeleton Emperor", "Император скелетов"),
    "ghost": ("Ghost Commander", "Призрачный командир"),
    "instructor": ("Drill Instructor", "Старший инструктор"),
    "saboteur": ("Master Saboteur", "Старший диверсант"),
}
ITEM_WORDS = {
    "wall": ("wall", "стена"),
    "catapult": ("catapult", "катапульта"),
    "dragon": ("dragon", "дракон"),
    "treasure": ("treasure", "сокровище"),
    "palisade": ("palisade", "частокол"),
    "hearse": ("hearse", "катафалк"),
    "dynamite": ("dynamite", "динамит"),
    "maze": ("maze", "лабиринт"),
    "portal": ("portal", "портал"),
    "spring": ("spring", "пружина"),
    "crossbow": ("crossbow", "арбалет"),
    "ice_wand": ("Wand of Ice", "Ледяной жезл"),
    "death_wand": ("Wand of Death", "Жезл смерти"),
    "teleport_wand": ("Wand of Teleportation", "Жезл телепортации"),
    "two_handed_sword": ("Two-handed Sword", "Двуручный меч"),
    "battle_axe": ("Battle Axe", "Боевой топор"),
    "flail": ("Flail", "Кистень"),
    "rapier": ("Rapier", "Рапира"),
}
"""Traps and weapons."""
