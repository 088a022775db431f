#!/usr/bin/env python3
"""Rows of src/fft/native/lines/fastest.def from `engine_study lines --engines native --rules`.

Prints, for each precision and pattern that was measured, the letter of the rule that is fastest at
each length, in the geometric mean of the cases with that pattern; '.' where the rule that is
preferred anyway is within 3% of it, or nothing was measured. Of a case that several files have, the
median counts.
"""

import argparse
import collections
import json
import math
import re
import statistics
from pathlib import Path

LONGEST = 4096
WITHIN = 1.03
RULES = Path(__file__).parent.parent / "src/fft/native/lines/rules.def"


def lengths():
    """As measured_lengths() of rules.hpp."""
    def is_smooth(n):
        for p in (2, 3, 5, 7):
            while n % p == 0:
                n //= p
        return n == 1
    return [n for n in range(2, LONGEST + 1) if is_smooth(n)]


def rules():
    """Letters by name, the preferred rules first."""
    return dict(re.findall(r'WEFT_LINES_RULE\(\w+, "([^"]+)", \'(\w)\'', RULES.read_text()))


def pattern(row):
    """near or far, and the pattern as fastest.cpp names it."""
    far = "far" if row["level"] in ("L3", "memory") else "near"
    name = row["pattern"].replace("-", "_")
    if name == "lanes":
        bytes_of = {"f64": 16, "f32": 8}[row["precision"]]
        step = (row["distance"] or row["batch"]) * bytes_of
        name = "crowded_lanes" if step % 4096 == 0 else "lanes"
    return far, name


def medians(runs):
    """Times by letter of one case in several runs."""
    return {one: statistics.median(run[one] for run in runs) for one in set.intersection(*map(set, runs))}


def fastest(cases, order):
    """The letter for cases of one length, each times by letter in each run; `order`: the preferred first."""
    cases = [medians(runs) for runs in cases]
    common = set.intersection(*(set(case) for case in cases))
    if not common:
        return "."
    mean = {one: math.exp(sum(math.log(case[one]) for case in cases) / len(cases))
            for one in common}
    best = min(mean, key=mean.get)
    preferred = min(common, key=order.index)
    return "." if mean[preferred] <= WITHIN * mean[best] else best


def read(paths):
    """Runs of cases by (precision, far, pattern), by length, then by distance and batch."""
    found = collections.defaultdict(lambda: collections.defaultdict(lambda: collections.defaultdict(list)))
    best, next_best = None, None
    large = rules()
    small = {name: one.lower() for name, one in large.items()}
    for path in paths:
        for line in Path(path).read_text().splitlines():
            row = json.loads(line)
            if row["study"] != "lines" or row["kind"] != "c2c":
                continue
            times = {name: one["seconds"]["median"] for name, one in row["engines"].items()
                     if "/" in name}
            if best is None:
                names = list(dict.fromkeys(name.split("/")[1] for name in times))
                if len(names) < 2:
                    raise SystemExit(f"{path}: times of two instruction sets are needed: run "
                                     "engine_study lines --rules without WEFT_VECTORS")
                best, next_best = names[:2]
            # Few lines leave lanes empty, how many depends on how many they are; contiguous ones
            # mostly have vectors along them.
            lanes = {"AVX3": 64, "AVX2": 32}.get(best, 16) // {"f64": 8, "f32": 4}[row["precision"]]
            lines = row["pattern"] == "lines"
            if 2 * row["batch"] <= (lanes if lines else 6 * lanes):
                continue
            # Few programs keep contiguous lines apart.
            if lines and row["distance"]:
                continue
            case = {}
            for name, seconds in times.items():
                rule, vectors = name.split("/")
                if vectors in (best, next_best):
                    case[(large if vectors == best else small)[rule]] = seconds
            found[(row["precision"], *pattern(row))][row["length"]][row["distance"], row["batch"]].append(case)
    return best, [*large.values(), *small.values()], found


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", nargs="+", help="JSON that engine_study printed")
    parser.add_argument("--processor", required=True,
                        help="vendor_id and cpu family of /proc/cpuinfo, of Intel's 6 also model: 'AuthenticAMD 26'")
    options = parser.parse_args()
    best, order, found = read(options.study)
    width = 88
    for (precision, far, name), cases in sorted(found.items()):
        text = "".join(fastest(cases[n].values(), order) if n in cases else "." for n in lengths())
        if not text.strip("."):
            continue
        parts = [text[i:i + width] for i in range(0, len(text), width)]
        letters = "\n             ".join(f'"{part}"' for part in parts)
        print(f'WEFT_FASTEST("{options.processor}", "{best}", {precision}, {far}, {name},\n'
              f"             {letters})")


if __name__ == "__main__":
    main()
