"""The network: three small convolutions and one wide layer on a crop folded to 12 channels of 24 × 24."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import torch
from torch import nn

from vision.embed import CODE, SIDE

WIDTHS = (8, 20, 48)
"""Channels after each convolution: 49 crops then take about three milliseconds."""
_LAYERS = (0, 3, 6)
"""Where the convolutions are in `EyesNetwork.look`; behind each comes its normalisation."""
_NORM = ("weight", "bias", "running_mean", "running_var")


class EyesNetwork(nn.Module):
    """Gives a code, how bare the cell looks, and where something stands, side by side in one row."""

    def __init__(self, widths: Sequence[int] = WIDTHS) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *_layer(12, widths[0], 1),
            *_layer(widths[0], widths[1], 2),
            *_layer(widths[1], widths[2], 2),
        )
        self.code = nn.Linear(widths[2] * (SIDE // 8) ** 2, CODE + 1)
        self.heat = nn.Conv2d(widths[2], 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Runs the network on folded crops."""
        seen = self.look(x)
        return torch.cat([self.code(seen.flatten(1)), self.heat(seen).flatten(1)], 1)


def _layer(before: int, after: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]


def read(path: Path) -> EyesNetwork:
    """Reads weights written by an earlier run, however wide."""
    state = torch.load(path)
    net = EyesNetwork([len(state[f"look.{i}.weight"]) for i in _LAYERS])
    net.load_state_dict(state)
    return net


def narrowed(wide: EyesNetwork) -> EyesNetwork:
    """A network of our widths with the channels of a wider one that count most in what comes after them."""
    net, state = EyesNetwork(), wide.state_dict()
    code = state["code.weight"].unflatten(1, (-1, (SIDE // 8) ** 2))
    after = [*(state[f"look.{i}.weight"].flatten(2) for i in _LAYERS[1:]), code]
    for i, width, use in zip(_LAYERS, WIDTHS, after, strict=True):
        counts = state[f"look.{i + 1}.weight"].abs() * use.abs().sum((0, 2))
        keep = counts.topk(width).indices.sort().values
        for name in (f"look.{i}.weight", *(f"look.{i + 1}.{part}" for part in _NORM)):
            state[name] = state[name][keep]
        following = f"look.{i + 3}.weight"
        if following in state:
            state[following] = state[following][:, keep]
        else:
            state["code.weight"] = code[:, keep].flatten(1)
            state["heat.weight"] = state["heat.weight"][:, keep]
    net.load_state_dict(state)
    return net


def export(net: EyesNetwork, path: Path) -> None:
    """Writes the weights as ONNX, any number of crops at a time."""
    net.eval()
    crop = torch.zeros(2, 12, SIDE // 2, SIDE // 2)
    axes = {"crops": {0: "n"}, "seen": {0: "n"}}
    torch.onnx.export(
        net,
        (crop,),
        str(path),
        input_names=["crops"],
        output_names=["seen"],
        dynamic_axes=axes,
        opset_version=13,
        dynamo=False,
    )
