"""What measuring found: wrong and unsure by kind, calibration, errors by coverage as a picture."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.images import Canvas, Doubles

WELL_SURE = 0.99
"""Of the answers given with this confidence or more at most one in a hundred may be wrong."""


class PlaceRead(NamedTuple):
    """What was said of one place."""

    level: int
    kind: str
    confidence: float
    is_right: bool
    """Whether the likeliest answer is the truth."""
    is_sure: bool
    is_called_bare: bool
    """Whether the likeliest answer is that nothing lies there, and something does."""
    network_margin: float
    is_network_right: bool

    def verdict(self) -> str:
        """right | unsure | wrong"""
        return "unsure" if not self.is_sure else "right" if self.is_right else "wrong"


Counts = dict[tuple[int, str], Counter[str]]


def counted(places: Iterable[PlaceRead]) -> Counts:
    """Per level and kind: how many places were right, unsure, wrong, and how many of these called bare."""
    counts: Counts = {}
    for one in places:
        here = counts.setdefault((one.level, one.kind), Counter())
        here[one.verdict()] += 1
    return counts


def table(counts: Counts) -> str:
    """The report as a Markdown table."""
    lines = ["| level | kind | places | wrong | unsure |", "|---|---|---|---|---|"]
    for level in sorted({level for level, _ in counts}):
        rows = {kind: c for (at, kind), c in counts.items() if at == level}
        total: Counter[str] = sum(rows.values(), Counter())
        for kind, c in [*sorted(rows.items()), ("**all**", total)]:
            n = c.total()
            wrong, unsure = 100 * c["wrong"] / n, 100 * c["unsure"] / n
            lines.append(f"| {level} | {kind} | {n} | {wrong:.2f} % ({c['wrong']}) | {unsure:.1f} % |")
    return "\n".join(lines)


def calibration(places: Sequence[PlaceRead]) -> str:
    """How many of the answers of much confidence are wrong, and how many sure ones say bare by mistake."""
    well = [one for one in places if one.is_sure and one.confidence >= WELL_SURE]
    wrong = sum(not one.is_right for one in well)
    sure = [one for one in places if one.is_sure]
    bare = sum(one.is_called_bare for one in sure)
    something = sum(one.kind != "bare place" for one in places)
    wrong_share, bare_share = 100 * wrong / max(len(well), 1), 100 * bare / max(something, 1)
    return (
        f"of {len(well)} answers with {WELL_SURE} or more {wrong} wrong ({wrong_share:.2f} %); "
        f"of {something} places with something {bare} surely called bare ({bare_share:.2f} %)"
    )


def beside_network(places: Sequence[PlaceRead]) -> str:
    """Errors of all at equal coverage, where one taught face lies: these eyes and the network alone."""
    some = _of_one_face(places)
    if not some:
        return "no place shows one face alone"
    share = sum(one.is_sure for one in some) / len(some)
    sure = sum(one.is_sure and not one.is_right for one in some) / len(some)
    risk = _risk([one.network_margin for one in some], [one.is_network_right for one in some])
    alone = float(np.interp(share, *risk))
    wrong = f"wrong of all {100 * sure:.2f} %, by the network alone {100 * alone:.2f} %"
    return f"one face alone: {100 * share:.1f} % answered, {wrong}"


def curve(places: Sequence[PlaceRead]) -> Canvas:
    """Errors by coverage as a picture: these eyes (green) beside the network alone (grey)."""
    some = _of_one_face(places)
    width, height, rim = 720, 420, 60
    image = np.full((height, width, 3), 255, np.uint8)
    risks = {
        (150, 150, 150): _risk([one.network_margin for one in some], [one.is_network_right for one in some]),
        (60, 140, 30): _risk([one.confidence for one in some], [one.is_right for one in some]),
    }
    top = max(0.01, *(float(risk.max()) for _, risk in risks.values()))
    black, font = (0, 0, 0), cv2.FONT_HERSHEY_SIMPLEX
    for i in range(6):
        x, y = rim + (width - 2 * rim) * i // 5, height - rim - (height - 2 * rim) * i // 5
        cv2.line(image, (x, rim), (x, height - rim), (225, 225, 225), 1)
        cv2.line(image, (rim, y), (width - rim, y), (225, 225, 225), 1)
        cv2.putText(image, f"{20 * i} %", (x - 16, height - rim + 20), font, 0.42, black, 1, cv2.LINE_AA)
        cv2.putText(image, f"{20 * i * top:.2f} %", (4, y + 4), font, 0.42, black, 1, cv2.LINE_AA)
    for colour, (coverage, risk) in risks.items():
        across, along = coverage * (width - 2 * rim), risk / top * (height - 2 * rim)
        points = np.stack([rim + across, height - rim - along], 1).round().astype(np.int32)
        cv2.polylines(image, [points], False, colour, 2, cv2.LINE_AA)
    share = sum(one.is_sure for one in some) / max(len(some), 1)
    at = rim + round(share * (width - 2 * rim))
    cv2.line(image, (at, rim), (at, height - rim), (60, 140, 30), 1)
    said = "wrong of all by share answered: green these eyes (line: as set), grey the network alone"
    cv2.putText(image, said, (rim, 30), font, 0.42, black, 1, cv2.LINE_AA)
    return image


def _of_one_face(places: Sequence[PlaceRead]) -> list[PlaceRead]:
    return [one for one in places if one.kind in ("tile", "card", "token")]


def _risk(confidence: Sequence[float], is_right: Sequence[bool]) -> tuple[Doubles, Doubles]:
    """The share answered, and the wrong among all, as the surest answers are given first."""
    order = np.argsort(-np.array(confidence), kind="stable")
    wrong = np.cumsum(~np.array(is_right, bool)[order])
    n = max(len(order), 1)
    return np.arange(1, len(order) + 1) / n, wrong / n
