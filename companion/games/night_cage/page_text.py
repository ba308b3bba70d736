"""Words of the drawing of The Night Cage on the pages, in both languages."""

from __future__ import annotations

PAGE_TEXTS: dict[str, tuple[str, str]] = {
    "cage.stack": ("Stack", "Запас"),
    "cage.drawn": ("Drawn tile", "Взятый фрагмент"),
    "cage.gates": ("Gates left", "Осталось врат"),
    "cage.keys": ("Keys left", "Осталось ключей"),
    "cage.monster": ("A monster in the next 1 · 3", "Монстр в 1 · 3 следующих"),
    "cage.gate": ("A gate in the next 1 · 3", "Врата в 1 · 3 следующих"),
    "cage.key": ("A key in the next 1 · 3", "Ключ в 1 · 3 следующих"),
    "cage.unseen": ("Tiles not seen yet", "Ещё не увиденные фрагменты"),
    "cage.lit": ("candle burns", "свеча горит"),
    "cage.unlit": ("in the dark", "во тьме"),
    "cage.has-key": ("has a key", "с ключом"),
    "cage.nerve": ("nerve {n}", "храбрость {n}"),
    "cage.close.keys": ("Keys carried: {n} of {of}.", "Ключей на руках: {n} из {of}."),
    "cage.close.stack": (
        "{n} {n#tile was|tiles were} left to burn.",
        "{n#Оставался|Оставалось|Оставалось} {n} {n#фрагмент|фрагмента|фрагментов}.",
    ),
    "cage.falls": ("falls", "падает"),
}
