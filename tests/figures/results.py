"""What the expressions of docs/figures.txt may use: how the files of bench/results are read, and how figures are written."""
import csv
import functools
import json
import math
import statistics
from pathlib import Path

SOURCE = Path(__file__).parents[2]
RESULTS = SOURCE / "bench" / "results"

DIRECTIONS = ("forward_s", "backward_s")
used = set()  # the files that the figures of one block are made of


@functools.cache
def read(name):
    """All of a file: its document, its lines, or the rows of a CSV."""
    text = (RESULTS / name).read_text()
    if name.endswith(".csv"):
        return list(csv.DictReader(text.splitlines()))
    try:
        return json.loads(text)
    except json.JSONDecodeError:
        return [json.loads(line) for line in text.splitlines()]


def document(name):
    used.add(name)
    return read(name)


def lines(name, **members):
    """The lines of a file that have these members."""
    return [line for line in document(name) if all(line.get(key) == value for key, value in members.items())]


def line(name, **members):
    found = lines(name, **members)
    if len(found) != 1:
        raise LookupError(f"{name} has {len(found)} lines of {members}")
    return found[0]


def processor(name):
    """The only one that a file names."""
    (found,) = {one["processor"] for one in document(name) if "processor" in one}
    return found


def mean(values):
    return statistics.geometric_mean(values)


def both(values):
    """Forward and backward, as a cell has them."""
    return ", ".join(f"{value:.2f}" for value in values)


def span(values, digits=2, joined=" to "):
    """The least and the largest."""
    values = list(values)
    return f"{min(values):.{digits}f}{joined}{max(values):.{digits}f}"


def of(values, bound=lambda value: value):
    """`5 of 7`: for how many a claim holds."""
    values = list(values)
    return f"{sum(map(bool, map(bound, values)))} of {len(values)}"


def floored(value, digits=1):
    """Of `at least`: cut, not rounded."""
    return math.floor(value * 10**digits) / 10**digits


def listed(values):
    values = [f"{value:.0f}" for value in values]
    return ", ".join(values[:-1]) + " and " + values[-1]
