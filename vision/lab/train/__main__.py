"""Trains the network: `python -m vision.lab.train --minutes 45 --seed 1 --out vision/weights/eyes.onnx`.

One process paints episodes, another learns from them; both are content with one core each.
Writes the weights and, beside them, a JSON file with the seed and the figures.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import deque
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch.nn import functional as F

from vision.embed import CODE, prepare
from vision.lab.train.episodes import FACES, Crops, Episode, paint_into
from vision.lab.train.network import EyesNetwork, export, narrowed, read

PER_STEP = 3
LIKE = 8.0
"""How much the codes of a teacher count; what else it says counts 1."""


def main() -> None:
    """Runs the training."""
    ask = argparse.ArgumentParser(prog="python -m vision.lab.train", description=__doc__)
    ask.add_argument("--minutes", type=float, default=45)
    ask.add_argument(
        "--keep", type=int, default=300, help="how many imaginary publishers are learned from at a time"
    )
    ask.add_argument("--seed", type=int, default=1)
    ask.add_argument("--out", type=Path, required=True)
    ask.add_argument("--start", type=Path, help="go on from weights written by an earlier run (.pt)")
    ask.add_argument("--teacher", type=Path, help="a wider network (.pt) whose codes are to be matched")
    given = ask.parse_args()
    torch.manual_seed(given.seed)
    torch.set_num_threads(1)
    context = get_context("spawn")
    queue = context.Queue(64)
    painter = context.Process(target=paint_into, args=(queue, given.seed), daemon=True)
    painter.start()
    try:
        figures = _learn(given, queue)
    finally:
        painter.terminate()
    given.out.with_suffix(".json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


def _learn(given: argparse.Namespace, queue: Any) -> dict[str, Any]:
    rng = np.random.default_rng(given.seed)
    teacher = read(given.teacher).eval() if given.teacher else None
    start = read(given.start) if given.start else narrowed(teacher) if teacher else EyesNetwork()
    net = start.to(memory_format=torch.channels_last)
    heat = torch.nn.Parameter(torch.tensor(2.5))
    values = [*net.parameters(), heat]
    optimiser = torch.optim.AdamW(values, lr=2e-3, weight_decay=1e-3)
    pool: deque[Episode] = deque((queue.get() for _ in range(20)), given.keep)
    began, step, hits, painted = time.monotonic(), 0, [], len(pool)
    limit = given.minutes * 60
    while (spent := time.monotonic() - began) < limit:
        for group in optimiser.param_groups:
            group["lr"] = (
                2e-3 * min(1, step / 100 + 0.05) * (0.02 + 0.98 * (0.5 + 0.5 * np.cos(np.pi * spent / limit)))
            )
        while not queue.empty():
            pool.append(queue.get())
            painted += 1
        net.train()
        some = [pool[int(i)] for i in rng.integers(len(pool), size=PER_STEP)]
        loss, right = _loss(net, teacher, heat, some, rng)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        hits.append(right)
        step += 1
        if step % 100 == 0:
            print(
                f"{spent / 60:5.1f} min  step {step}  publishers {painted}"
                f"  loss {float(loss):.3f}  right {np.mean(hits[-100:]):.4f}",
                flush=True,
            )
        if step % 300 == 0:
            _keep(net, given.out)
    _keep(net, given.out)
    return {
        "seed": given.seed,
        "minutes": given.minutes,
        "steps": step,
        "publishers": painted,
        "right_in_training": round(float(np.mean(hits[-300:])), 4),
    }


def _keep(net: EyesNetwork, path: Path) -> None:
    torch.save(net.state_dict(), path.with_suffix(".pt"))
    export(net, path)


def _loss(
    net: EyesNetwork,
    teacher: EyesNetwork | None,
    sharp: torch.Tensor,
    episodes: list[Episode],
    rng: np.random.Generator,
) -> tuple[torch.Tensor, float]:
    """Which (face, turn) of the neat picture is each crop of the damaged one? And what stands there?"""
    inputs, plan = [], []
    for one in episodes:
        known, asked, truth = _ask(one, rng)
        plan.append((len(known), asked, truth, one))
        inputs += [known, truth[0]]
    crops = torch.from_numpy(np.concatenate(inputs)).contiguous(memory_format=torch.channels_last)
    out = net(crops)
    total, right, at = out.new_zeros(()), [], 0
    if teacher is not None:
        with torch.no_grad():
            wanted = teacher(crops)
        same = F.cosine_similarity(out[:, :CODE], wanted[:, :CODE], dim=1).mean()
        bare = F.smooth_l1_loss(out[:, CODE], wanted[:, CODE])
        heat = F.smooth_l1_loss(out[:, CODE + 1 :], wanted[:, CODE + 1 :])
        total = total + len(episodes) * (LIKE * (1 - same) + bare + heat)
    for n_known, asked, truth, one in plan:
        known, query = out[at : at + n_known], out[at + n_known : at + n_known + len(asked)]
        at += n_known + len(asked)
        code = F.normalize(known[:, :CODE], dim=1).reshape(-1, FACES * 4, CODE).mean(0)
        tiles = torch.from_numpy(truth[1] >= 0)
        label = torch.from_numpy(truth[1])[tiles]
        score = F.normalize(query[:, :CODE], dim=1)[tiles] @ F.normalize(code, dim=1).T * sharp.exp()
        alike = torch.from_numpy(one.alike)[label]
        alike[torch.arange(len(label)), label] = False
        score = score.masked_fill(alike, -30.0)
        total = total + F.cross_entropy(score, label, label_smoothing=0.02)
        right.append((score.argmax(1) == label).float().mean())
        bare = torch.from_numpy((truth[1] < 0).astype(np.float32))
        total = total + 0.3 * F.binary_cross_entropy_with_logits(query[:, CODE], bare)
        if truth[2] is not None:
            heat = torch.from_numpy(truth[2])
            total = total + 0.6 * F.binary_cross_entropy_with_logits(query[:, CODE + 1 :], heat)
    return total / len(episodes), float(torch.stack(right).mean())


def _ask(
    one: Episode, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray, tuple[np.ndarray, np.ndarray, np.ndarray | None]]:
    """Inputs for the known faces in all turns, inputs for the questions, and the answers.

    Mirrored pictures and exchanged colours make further publishers out of one. Now and then the same disc is
    hidden everywhere, as the reader hides a pawn.
    """
    mirror = rng.random() < 0.5
    colours = rng.permutation(3) if rng.random() < 0.7 else np.arange(3)
    picks = [np.flatnonzero(one.neat.face == face) for face in range(FACES)]
    shots = 1 if rng.random() < 0.7 else 2
    known_at = np.concatenate([[rng.choice(p) for p in picks] for _ in range(shots)])
    asked = np.arange(len(one.damaged.face))
    hidden = _disc(rng) if rng.random() < 0.3 else None
    neat, damaged = _take(one.neat, known_at, colours), _take(one.damaged, asked, colours)
    quarter, heat = one.damaged.quarter[asked], one.damaged.heat[asked]
    pixels = np.stack([np.rot90(neat[0], -k, (1, 2)) for k in range(4)], 1).reshape(-1, *neat[0].shape[1:])
    white = _guess(neat[1], rng)
    if white is not None:
        white = np.repeat(white, 4, 0)
    query, query_white = damaged[0], _guess(damaged[1], rng)
    if mirror:
        turned = neat[0][:, :, ::-1]
        pixels = np.stack([np.rot90(turned, -k, (1, 2)) for k in range(4)], 1).reshape(-1, *neat[0].shape[1:])
        query, quarter, heat = query[:, :, ::-1], -quarter % 4, heat[:, :, ::-1]
    face = one.damaged.face[asked]
    label = np.where(face >= 0, face * 4 + quarter, -1)
    known, questions = prepare(pixels, white, hidden), prepare(query, query_white, hidden)
    stands = None if hidden is not None else np.ascontiguousarray(heat.reshape(len(heat), -1))
    return known, asked, (questions, label, stands)


def _take(crops: Crops, at: np.ndarray, colours: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    return crops.pixels[at][..., colours], crops.white[at][..., colours]


def _guess(white: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """What the reader would believe about the light: about right, or nothing known."""
    if rng.random() < 0.35:
        return None
    return (white * np.exp(rng.normal(0, 0.05, 3) + rng.normal(0, 0.02, white.shape))).astype(np.float32)


def _disc(rng: np.random.Generator) -> np.ndarray:
    y, x = np.mgrid[0:48, 0:48]
    cx, cy = rng.normal(23.5, 5, 2)
    return np.asarray(np.hypot(x - cx, y - cy) < rng.uniform(5, 14))


if __name__ == "__main__":
    main()
