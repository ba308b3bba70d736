"""Renders tables by physics that nobody here wrote: Mitsuba 3 makes pictures of thick, glossy pieces.

Mitsuba is a tool for making test pictures and no dependency: `pip install mitsuba` where this runs, with
Debian's `libllvm19` or another LLVM. A scene is made of quads and of bodies turned on a lathe; one atlas of
pictures covers all of them. Board millimetres are the units; heights count upwards from the board.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import cv2
import numpy as np

from vision.images import Canvas, Doubles, Floats, Image
from vision.optics import PinholeCamera

_TILE = 128
"""Side of a picture in the atlas, in pixels."""
_BEND = 8
"""Into how many strips a bent quad is cut along each side."""


class Sheet(NamedTuple):
    """A flat or bent sheet with a picture: four corners (x, y, height), from the upper left, clockwise."""

    corners: Doubles
    picture: Image
    bulge: float = 0.0
    """How far its middle lies above the plane of its corners, in mm."""


class Lathe(NamedTuple):
    """A body turned on a lathe: radii in mm at equal steps from its foot to its head."""

    foot: tuple[float, float, float]
    head: tuple[float, float, float]
    radii: tuple[float, ...]
    picture: Image


class AreaLamp(NamedTuple):
    """A rectangle that shines: its middle, a point that it faces, its size in mm, its radiance by colour."""

    at: tuple[float, float, float]
    to: tuple[float, float, float]
    size: tuple[float, float]
    light: tuple[float, float, float]
    """Red, green, blue."""


class RenderedScene(NamedTuple):
    """A table with what lies and stands on it, and the room around."""

    grounds: Sequence[Sheet]
    """Large sheets, each with a picture as fine as it is."""
    quads: Sequence[Sheet]
    lathes: Sequence[Lathe]
    lamps: Sequence[AreaLamp]
    ambient: tuple[float, float, float]
    """The light that comes from everywhere: red, green, blue."""
    roughness: float = 0.6
    """Of the pieces: 0.1 mirrors a window, 0.6 is uncoated cardboard."""
    ground_roughness: float = 0.7


def box(
    middle: tuple[float, float],
    size: tuple[float, float],
    turn: float,
    foot: float,
    height: float,
    picture: Image,
    side: Image,
    bulge: float = 0.0,
) -> list[Sheet]:
    """A piece with thickness: its print on top, `side` around it; turned clockwise by degrees."""
    c, s = np.cos(np.radians(turn)), np.sin(np.radians(turn))
    half = np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * np.array(size) / 2
    flat = half @ np.array([[c, s], [-s, c]]) + np.array(middle)
    top = np.column_stack([flat, np.full(4, foot + height)])
    low = np.column_stack([flat, np.full(4, foot)])
    sides = [
        Sheet(np.stack([top[(i + 1) % 4], top[i], low[i], low[(i + 1) % 4]]), side)
        for i in range(4)
        if height > 0
    ]
    return [Sheet(top, picture, bulge), *sides]


def render(
    scene: RenderedScene, camera: PinholeCamera, samples: int = 24, seed: int = 0, blur_mm: float = 0.0
) -> Floats:
    """The light on the sensor, linear, blue-green-red; `blur_mm` is the width of the lens.

    The camera must have no lens distortion. Afterwards its pixels are those of the picture.
    """
    mitsuba = _mitsuba()
    width, height = camera.size
    with TemporaryDirectory() as folder:
        parts, atlas = _meshes([*scene.quads], scene.lathes)
        described: dict[str, Any] = {
            "type": "scene",
            "integrator": {"type": "path", "max_depth": 5},
            "sensor": _sensor(mitsuba, camera, samples, blur_mm),
            "room": {"type": "constant", "radiance": _rgb(scene.ambient)},
        }
        for i, sheet in enumerate(scene.grounds):
            path, mesh = Path(folder) / f"ground{i}.ply", _grid(sheet, (0, 0, 1, 1))
            described[f"ground{i}"] = _shape(mitsuba, path, mesh, sheet.picture, scene.ground_roughness)
        if parts:
            described["pieces"] = _shape(
                mitsuba, Path(folder) / "pieces.ply", _joined(parts), atlas, scene.roughness
            )
        for i, lamp in enumerate(scene.lamps):
            described[f"lamp{i}"] = _lamp(mitsuba, lamp)
        loaded = mitsuba.load_dict(described)
        seen = np.asarray(mitsuba.render(loaded, spp=samples, seed=seed), np.float32)
    # A stray path that met a lamp by luck is no light that a sensor sees.
    limit = 20 * float(np.quantile(seen, 0.98))
    return np.ascontiguousarray(np.minimum(seen[:height, :width, 2::-1], limit))


def level_camera(camera: PinholeCamera) -> PinholeCamera:
    """The camera as Mitsuba has it: no lens distortion, the middle between the middle pixels."""
    width, height = camera.size
    focal = float(camera.matrix[0, 0])
    straight = PinholeCamera(camera.size, focal, 0.0, camera.turn, camera.move)
    straight.matrix[:2, 2] = (width - 1) / 2, (height - 1) / 2
    return straight


@cache
def _mitsuba() -> Any:
    import mitsuba

    mitsuba.set_variant("llvm_ad_rgb")
    return mitsuba


def _sensor(mitsuba: Any, camera: PinholeCamera, samples: int, blur_mm: float) -> dict[str, Any]:
    width, height = camera.size
    right, down, forward = camera.turn
    origin = -camera.turn.T @ camera.move
    to_world = np.eye(4)
    to_world[:3, :4] = np.column_stack([-right, -down, forward, origin])
    focal = float(camera.matrix[0, 0])
    lens = {"type": "perspective"}
    if blur_mm > 0:
        lens = {"type": "thinlens", "aperture_radius": blur_mm / 2, "focus_distance": float(camera.move[2])}  # type: ignore[dict-item]
    return {
        **lens,
        "fov_axis": "x",
        "fov": float(np.degrees(2 * np.arctan(width / 2 / focal))),
        "near_clip": 1.0,
        "far_clip": 1e5,
        "to_world": mitsuba.ScalarTransform4f(to_world),
        "film": {
            "type": "hdrfilm",
            "width": width,
            "height": height,
            "pixel_format": "rgb",
            "rfilter": {"type": "box"},
        },
        "sampler": {"type": "independent", "sample_count": samples},
    }


def _lamp(mitsuba: Any, lamp: AreaLamp) -> dict[str, Any]:
    transform = mitsuba.ScalarTransform4f
    at, to = (_world(np.array([point]))[0].tolist() for point in (lamp.at, lamp.to))
    up = (
        [0.0, 0.0, 1.0] if abs(to[2] - at[2]) < 0.9 * np.linalg.norm(np.subtract(to, at)) else [0.0, 1.0, 0.0]
    )
    placed = transform().look_at(origin=at, target=to, up=up)
    return {
        "type": "rectangle",
        "to_world": placed @ transform().scale([lamp.size[0] / 2, lamp.size[1] / 2, 1]),
        "emitter": {"type": "area", "radiance": _rgb(lamp.light)},
    }


def _rgb(light: Sequence[float]) -> dict[str, Any]:
    return {"type": "rgb", "value": [float(one) for one in light]}


def _shape(mitsuba: Any, path: Path, mesh: _Mesh, picture: Image, roughness: float) -> dict[str, Any]:
    _write(path, mesh)
    seen = mitsuba.Bitmap(np.ascontiguousarray(picture[..., ::-1]))
    return {
        "type": "ply",
        "filename": str(path),
        "face_normals": True,
        "bsdf": {
            "type": "twosided",
            "inner": {
                "type": "principled",
                "base_color": {"type": "bitmap", "bitmap": seen, "wrap_mode": "clamp"},
                "roughness": float(roughness),
                "specular": 0.5,
            },
        },
    }


class _Mesh(NamedTuple):
    points: Doubles
    """x, y, z, u, v of each."""
    corners: Canvas
    """Three points of each triangle."""


def _meshes(quads: Sequence[Sheet], lathes: Sequence[Lathe]) -> tuple[list[_Mesh], Image]:
    """The shapes of pieces and the atlas of their pictures."""
    pictures: list[Image] = []
    numbers: dict[int, int] = {}
    bodies: list[Sheet | Lathe] = [*quads, *lathes]
    for one in bodies:
        if id(one.picture) not in numbers:
            numbers[id(one.picture)] = len(pictures)
            pictures.append(one.picture)
    side = max(1, int(np.ceil(np.sqrt(len(pictures)))))
    atlas = np.zeros((side * _TILE, side * _TILE, 3), np.uint8)
    for i, picture in enumerate(pictures):
        y, x = i // side * _TILE, i % side * _TILE
        atlas[y : y + _TILE, x : x + _TILE] = cv2.resize(
            picture, (_TILE, _TILE), interpolation=cv2.INTER_AREA
        )
    inset = 1.0 / _TILE
    spots = []
    for one in bodies:
        y, x = divmod(numbers[id(one.picture)], side)
        spots.append(((x + inset) / side, (y + inset) / side, (x + 1 - inset) / side, (y + 1 - inset) / side))
    parts = [_grid(quad, spot) for quad, spot in zip(quads, spots, strict=False)]
    parts += [_turned(lathe, spot) for lathe, spot in zip(lathes, spots[len(quads) :], strict=True)]
    return parts, atlas


_Spot = tuple[float, float, float, float]


def _grid(quad: Sheet, spot: _Spot) -> _Mesh:
    n = _BEND if quad.bulge else 1
    share = np.linspace(0, 1, n + 1)
    v, u = (one.ravel() for one in np.meshgrid(share, share, indexing="ij"))
    a, b, c, d = quad.corners
    points = (
        np.outer((1 - u) * (1 - v), a)
        + np.outer(u * (1 - v), b)
        + np.outer(u * v, c)
        + np.outer((1 - u) * v, d)
    )
    points[:, 2] += quad.bulge * 4 * u * (1 - u)
    return _Mesh(np.column_stack([_world(points), *_on_atlas(u, v, spot)]), _faces(n, n))


def _turned(lathe: Lathe, spot: _Spot, around: int = 28) -> _Mesh:
    foot, head = np.array(lathe.foot), np.array(lathe.head)
    axis = (head - foot) / np.linalg.norm(head - foot)
    one = np.cross(axis, [0.0, 0.0, 1.0] if abs(axis[2]) < 0.9 else [1.0, 0.0, 0.0])
    one /= np.linalg.norm(one)
    other = np.cross(axis, one)
    radii = [*lathe.radii, 0.01]
    along = [*np.linspace(0, 1, len(lathe.radii)), 1.0]
    angle = np.linspace(0, 2 * np.pi, around + 1)
    ring = np.outer(np.cos(angle), one) + np.outer(np.sin(angle), other)
    points = np.concatenate(
        [foot + (head - foot) * t + ring * radius for t, radius in zip(along, radii, strict=True)]
    )
    v, u = (
        grid.ravel()
        for grid in np.meshgrid(np.linspace(0, 1, len(radii)), np.linspace(0, 1, around + 1), indexing="ij")
    )
    return _Mesh(np.column_stack([_world(points), *_on_atlas(u, v, spot)]), _faces(len(radii) - 1, around))


def _on_atlas(u: Doubles, v: Doubles, spot: _Spot) -> tuple[Doubles, Doubles]:
    left, top, right, bottom = spot
    return left + u * (right - left), top + v * (bottom - top)


def _faces(rows: int, columns: int) -> Canvas:
    y, x = np.mgrid[0:rows, 0:columns]
    first = (y * (columns + 1) + x).ravel()
    below = first + columns + 1
    halves = [np.stack([first, first + 1, below + 1], 1), np.stack([first, below + 1, below], 1)]
    return np.concatenate(halves)


def _joined(parts: Sequence[_Mesh]) -> _Mesh:
    starts = np.cumsum([0, *(len(part.points) for part in parts)])
    corners = [part.corners + start for part, start in zip(parts, starts, strict=False)]
    return _Mesh(np.concatenate([part.points for part in parts]), np.concatenate(corners))


def _world(points: Doubles) -> Doubles:
    """Board millimetres and heights as the camera has them: what is high lies before the board."""
    return np.asarray(points, float) * [1, 1, -1]


def _write(path: Path, mesh: _Mesh) -> None:
    names = "".join(f"property float {name}\n" for name in ("x", "y", "z", "u", "v"))
    head = (
        f"ply\nformat binary_little_endian 1.0\nelement vertex {len(mesh.points)}\n{names}"
        f"element face {len(mesh.corners)}\nproperty list uchar int vertex_indices\nend_header\n"
    )
    faces = b"".join(struct.pack("<Biii", 3, *map(int, corner)) for corner in mesh.corners)
    path.write_bytes(head.encode() + mesh.points.astype("<f4").tobytes() + faces)
