"""Zeros between the wave numbers of lines, and their truncation.

Of n = 4 and m = 6 the line a b c d, of k = 0, 1, -2, -1, becomes a b c/2 0 c/2 d.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .end import Array


class Line(NamedTuple):
    """Lines along an axis: n values of a field, m when padded; spectra of real ones are halved."""

    axis: int
    n: int
    m: int
    halved: bool

    @property
    def pads(self) -> bool:
        return self.m > self.n

    def at(self, start: int, stop: int) -> tuple[Any, ...]:
        """Indices of the elements start .. stop of all lines."""
        return (slice(None),) * self.axis + (slice(start, stop),)

    @property
    def both(self) -> bool:
        """Whether the value at n/2 stands for two wave numbers."""
        return self.n % 2 == 0


def pad(short: Array, full: Array, line: Line) -> None:
    """Local. Lines of n become lines of m > n with zeros between."""
    n, m, half = line.n, line.m, line.n // 2
    full[...] = 0
    middle = line.at(half, half + 1)
    if line.halved:
        full[line.at(0, half + 1)] = short
        if line.both:  # Of a real field, which is what is left of all other axes here.
            full[middle] = 0.5 * short[middle].real
        return
    full[line.at(0, n - half)] = short[line.at(0, n - half)]
    full[line.at(m - half, m)] = short[line.at(n - half, n)]
    if line.both:
        full[line.at(m - half, m - half + 1)] *= 0.5
        full[middle] = 0.5 * short[middle]


def truncate(full: Array, short: Array, line: Line) -> None:
    """Local. The reverse of pad(); what is beyond n/2 is left out."""
    n, m, half = line.n, line.m, line.n // 2
    middle = line.at(half, half + 1)
    if line.halved:
        short[...] = full[line.at(0, half + 1)]
        if line.both:
            short[middle] = 2 * full[middle].real
        return
    short[line.at(0, n - half)] = full[line.at(0, n - half)]
    short[line.at(n - half, n)] = full[line.at(m - half, m)]
    if line.both:
        short[middle] += full[middle]
