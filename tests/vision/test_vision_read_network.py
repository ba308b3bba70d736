"""The small network, run by OpenCV."""

import cv2
import numpy as np
import pytest

from vision import embed as eyes
from vision.embed import CODE, SIDE, embed, fold, prepare
from vision.lab.paint_art import Style

ART = np.stack(
    [cv2.resize(Style(5, "icons").art(i), (SIDE, SIDE), interpolation=cv2.INTER_AREA) for i in range(6)]
)


def test_codes_have_length_one():
    code = embed(ART).code
    assert code.shape == (6, CODE)
    assert np.allclose(np.linalg.norm(code, axis=1), 1, atol=1e-4)


def test_many_crops_give_the_same_codes_as_one_at_a_time():
    together = embed(ART).code
    alone = np.concatenate([embed(one[None]).code for one in ART])
    assert np.allclose(together, alone, atol=1e-4)


def test_no_crops_give_no_codes():
    assert embed(np.zeros((0, SIDE, SIDE, 3), np.uint8)).code.shape == (0, CODE)


def test_dim_light_hardly_changes_a_code():
    bright, dim = embed(ART).code, embed((ART * 0.4).astype(np.uint8)).code
    assert (bright * dim).sum(1).min() > 0.9


def test_coloured_light_is_taken_away_by_a_white_sheet():
    tint = np.array([0.6, 1.0, 1.3], np.float32)
    lit = np.clip(ART * 0.7 * tint, 0, 255).astype(np.uint8)
    white = np.tile(tint * 200, (len(ART), 1)).astype(np.float32)
    assert (embed(ART).code * embed(lit, white).code).sum(1).min() > 0.9


def test_a_turned_face_has_another_code():
    turned = np.rot90(ART, 1, (1, 2))
    assert np.median((embed(ART).code * embed(turned).code).sum(1)) < 0.7


def test_what_is_hidden_does_not_count():
    hidden = np.zeros((SIDE, SIDE), bool)
    hidden[16:32, 16:32] = True
    smeared = ART.copy()
    smeared[:, hidden] = (0, 0, 255)
    a, b = embed(ART, None, hidden).code, embed(smeared, None, hidden).code
    assert np.allclose(a, b, atol=1e-3)


def test_folding_keeps_every_pixel():
    folded = fold(ART)
    assert folded.shape == (6, 12, SIDE // 2, SIDE // 2)
    assert folded[2, 9 + 1, 3, 4] == ART[2, 7, 9, 1]


def test_every_engine_of_opencv_gives_the_same_codes():
    ours = embed(ART).code
    engines = [getattr(cv2.dnn, name) for name in ("ENGINE_CLASSIC", "ENGINE_NEW") if hasattr(cv2.dnn, name)]
    for more in [(), *((engine,) for engine in engines)]:
        network = cv2.dnn.readNetFromONNX(str(eyes.WEIGHTS), *more)
        network.setInput(prepare(ART))
        code = network.forward()[:, :CODE]
        assert np.allclose(ours, code / np.linalg.norm(code, axis=1, keepdims=True), atol=1e-3)


def plain(crop, white, shown):
    """One crop prepared the long way: as seen on white paper, then mean 0 and spread 1 of what is shown."""
    pixels = crop / 255 / np.clip(white / white.mean(), 0.25, 4)
    pixels = (pixels - pixels[shown].mean()) * shown[..., None]
    return fold((pixels / (np.sqrt((pixels[shown] ** 2).mean()) + 0.03))[None])[0]


@pytest.mark.parametrize("is_hidden", [False, True])
def test_crops_are_prepared_as_seen_on_white_paper_and_evened_out(is_hidden):
    white = np.tile(np.array([150, 200, 240], np.float32), (len(ART), 1))
    hidden = np.zeros((SIDE, SIDE), bool)
    hidden[10:30, 12:24] = is_hidden
    prepared = prepare(ART, white, hidden if is_hidden else None)
    assert np.allclose(prepared, [plain(one, white[0], ~hidden) for one in ART], atol=1e-4)
