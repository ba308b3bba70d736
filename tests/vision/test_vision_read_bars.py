"""The limits that `vision/README.md` states, held on a fixed sample of styles that nothing was fitted on."""

from collections import Counter

import pytest

from vision.measure import measure, trials

STYLES = range(400, 412)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("level", "most_wrong", "most_unsure"),
    [(0, 0.005, 0.06), (1, 0.005, 0.06), (2, 0.005, 0.1), (3, 0.01, 0.35)],
)
def test_few_places_are_unsure_and_hardly_any_wrong(level, most_wrong, most_unsure):
    counts = sum(measure(trials(STYLES, [level])).values(), start=Counter())
    assert counts.total() > 400
    assert counts["wrong"] <= most_wrong * counts.total()
    assert counts["unsure"] <= most_unsure * counts.total()
