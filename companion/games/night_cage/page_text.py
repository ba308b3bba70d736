"""Words of the drawing of The Night Cage on the pages, in both languages."""

from __future__ import annotations

PAGE_TEXTS: dict[str, tuple[str, str]] = {
    "cage.stack": ("Stack", "Запас"),
    "cage.drawn": ("Drawn tile", "Взятый фрагмент"),
    "cage.gates": ("Gates left", "Осталось врат"),
    "cage.keys": ("Keys left", "Осталось ключей"),
    "cage.monster": ("A monster", "Монстр"),
    "cage.gate": ("A gate", "Врата"),
    "cage.key": ("A key", "Ключ"),
    "cage.odds": ("Chance in the next tile · in the next three", "Вероятность: следующий · три следующих"),
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
