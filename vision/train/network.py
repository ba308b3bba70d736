"""The network: three small convolutions and one wide layer on a crop folded to 12 channels of 24 × 24."""

from __future__ import annotations

from pathlib import Path

import torch
from torch import nn

from vision.embed import CODE, SIDE

WIDTHS = (12, 28, 64)
"""Channels after each convolution: as wide as 49 crops in five milliseconds allow."""


class Eyes(nn.Module):
    """Gives a code, how bare the cell looks, and where something stands, side by side in one row."""

    def __init__(self) -> None:
        super().__init__()
        self.look = nn.Sequential(
            *_layer(12, WIDTHS[0], 1),
            *_layer(WIDTHS[0], WIDTHS[1], 2),
            *_layer(WIDTHS[1], WIDTHS[2], 2),
        )
        self.code = nn.Linear(WIDTHS[2] * (SIDE // 8) ** 2, CODE + 1)
        self.heat = nn.Conv2d(WIDTHS[2], 1, 1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Runs the network on folded crops."""
        seen = self.look(x)
        return torch.cat([self.code(seen.flatten(1)), self.heat(seen).flatten(1)], 1)


def _layer(before: int, after: int, stride: int) -> list[nn.Module]:
    return [nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU()]


def export(net: Eyes, path: Path) -> None:
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
