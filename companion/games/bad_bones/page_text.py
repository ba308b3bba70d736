"""Words of the drawing of Bad Bones on the pages, in both languages."""

from __future__ import annotations

PAGE_TEXTS: dict[str, tuple[str, str]] = {
    "bones.round": ("Round", "Раунд"),
    "bones.bag": ("In the bag", "В мешке"),
    "bones.marker": ("Marching side", "Сторона похода"),
    "bones.floors": ("Tower", "Башня"),
    "bones.houses": ("Houses", "Дома"),
    "bones.cemetery": ("Graves", "Могилы"),
    "bones.points": ("Points", "Очки"),
    "bones.supply": ("Your traps", "Ваши ловушки"),
    "bones.weapon": ("Your weapon", "Ваше оружие"),
}
