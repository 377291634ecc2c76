# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of positions: text, and images that numpy draws.

Digits are strokes of even width with round ends. A pixel's share of a shape is its distance from the edge, cut off
at half a pixel, so edges are smooth.
"""

from __future__ import annotations

from functools import lru_cache

import numpy as np

from ._library import Array

#: Colours (red, green, blue) of exponents; those between two of them are mixed.
_COLOURS = {1: (250, 240, 222), 3: (253, 210, 140), 5: (248, 152, 84), 7: (226, 90, 72), 9: (186, 52, 104),
            11: (122, 48, 136), 13: (72, 62, 152), 15: (40, 104, 160), 17: (30, 128, 124), 43: (24, 60, 40)}
_FRAME, _EMPTY, _DARK, _LIGHT = (150, 140, 130), (205, 195, 184), (84, 74, 64), (255, 255, 255)
_DIGIT_WIDTH, _DIGIT_STEP = 0.6, 0.82  # in heights of a digit


def as_text(cells: Array) -> str:
    """A position as text.

    Parameters
    ----------
    cells : uint8 array (rows, cols)
        Exponents.

    Returns
    -------
    str
        Rows of tiles, a dot for an empty cell.
    """
    tiles = [[str(1 << int(k)) if k else "." for k in row] for row in cells]
    width = max(len(tile) for row in tiles for tile in row)
    return "\n".join(" ".join(tile.rjust(width) for tile in row) for row in tiles)


def as_image(cells: Array) -> Array:
    """A position as an image.

    Parameters
    ----------
    cells : uint8 array (rows, cols)
        Exponents.

    Returns
    -------
    uint8 array (height, width, 3)
        Red, green and blue of pixels; at least 400 in each direction.
    """
    rows, cols = cells.shape
    size = max(76, -(-400 // min(rows, cols)))
    gap = size // 10
    image = np.empty((rows * size + gap, cols * size + gap, 3), np.uint8)
    image[:] = _FRAME
    for r in range(rows):
        for c in range(cols):
            top, left = r * size + gap, c * size + gap
            image[top:top + size - gap, left:left + size - gap] = _tile(int(cells[r, c]), size - gap)
    return image


@lru_cache(maxsize=1024)
def _tile(exponent: int, size: int) -> Array:
    """The square of one cell."""
    ground = np.array([np.interp(exponent, list(_COLOURS), channel) for channel in zip(*_COLOURS.values())]
                      if exponent else _EMPTY)
    y, x = np.mgrid[0:size, 0:size] + 0.5
    radius = size / 14
    corner = [np.maximum(abs(at - size / 2) - size / 2 + radius, 0) for at in (x, y)]
    image = _paint(np.full((size, size, 3), _FRAME, float), ground, radius - np.hypot(*corner))
    if exponent:
        ink = np.array(_DARK if ground @ (0.3, 0.6, 0.1) > 150 else _LIGHT)
        digits = str(1 << exponent)
        width = _DIGIT_STEP * (len(digits) - 1) + _DIGIT_WIDTH
        height = size * min(0.42, 0.78 / width)
        left, top = (size - width * height) / 2, (size - height) / 2
        for i, digit in enumerate(digits):
            inside = 0.085 * height - _distance(digit, (x - left) / height - i * _DIGIT_STEP,
                                                (y - top) / height) * height
            image = _paint(image, ink, inside)
    return np.rint(image).astype(np.uint8)


def _paint(image: Array, colour: Array, inside: Array) -> Array:
    """IMAGE with COLOUR where INSIDE, the pixels from the edge of a shape, is positive."""
    share = np.clip(inside + 0.5, 0, 1)[..., None]
    painted: Array = image * (1 - share) + colour * share
    return painted


def _arc(x: float, y: float, width: float, height: float, start: float, end: float) -> list[tuple[float, float]]:
    """Points of an ellipse around X, Y with these half axes, from START to END degrees against the clock."""
    angles = np.radians(np.linspace(start, end, 25))
    return [(x + width * np.cos(a), y - height * np.sin(a)) for a in angles]


#: Lines through points; x to the right, y downwards, a digit's height is 1.
_DIGITS: dict[str, list[list[tuple[float, float]]]] = {
    "0": [_arc(.3, .5, .29, .5, 0, 360)],
    "1": [[(.1, .2), (.36, 0), (.36, 1)]],
    "2": [[*_arc(.3, .28, .28, .28, 165, -35), (.02, 1), (.6, 1)]],
    "3": [_arc(.28, .25, .26, .25, 155, -90), _arc(.28, .74, .3, .26, 95, -150)],
    "4": [[(.46, 1), (.46, 0), (0, .7), (.63, .7)]],
    "5": [[(.54, 0), (.1, 0), (.06, .46), *_arc(.28, .68, .31, .32, 132, -150)]],
    "6": [_arc(.3, .69, .29, .31, 0, 360), _arc(.62, .69, .61, .7, 180, 102)],
    "7": [[(.02, 0), (.6, 0), (.22, 1)]],
    "8": [_arc(.3, .25, .25, .25, 0, 360), _arc(.3, .74, .3, .26, 0, 360)],
    "9": [_arc(.3, .31, .29, .31, 0, 360), _arc(-.02, .31, .61, .7, 0, -78)],
}


def _distance(digit: str, x: Array, y: Array) -> Array:
    """How far points X, Y are from the lines of DIGIT."""
    nearest = np.full(x.shape, np.inf)
    for line in _DIGITS[digit]:
        for (x0, y0), (x1, y1) in zip(line, line[1:]):
            dx, dy = x1 - x0, y1 - y0
            along = np.clip(((x - x0) * dx + (y - y0) * dy) / (dx * dx + dy * dy), 0, 1)
            nearest = np.minimum(nearest, np.hypot(x - x0 - along * dx, y - y0 - along * dy))
    return nearest
