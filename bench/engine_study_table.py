#!/usr/bin/env python3
"""Table of what engine_study measured, beside what is asked of an engine. bench/plots draws it.

usage: engine_study_table.py RESULTS.json...
"""

import argparse
import json
import math
import sys

GROUPS = ("powers-of-two", "2-3-5-7", "primes")
PATTERNS = ("lines", "lanes", "lines-to-lanes", "lanes-to-lines")
COMPETITORS = ("fftw", "mkl")
ANY = ("lines", "lanes", "permuting")
REAL_TO_REAL = ("dct1", "dct2", "dct3", "dct4", "dst1", "dst2", "dst3", "dst4")

# The least ratio of the speeds, by group and pattern, for c2c: to each competitor, to the better of
# them, and to the engine's own speed on lines.
ASKED = {
    "powers-of-two": {
        "lines": {"fftw": 1.1, "mkl": 1.0},
        "lanes": {"fftw": 2.7, "mkl": 1.3},
        "permuting": {"better": 2.0, "own lines": 0.8},
    },
    "2-3-5-7": {
        "lines": {"fftw": 1.2, "mkl": 0.95},
        "lanes": {"fftw": 2.0, "mkl": 1.0},
        "permuting": {"better": 1.8},
    },
    "primes": {pattern: {"better": 2.0} for pattern in ANY},
}
JUDGED_LENGTHS = {"powers-of-two": (16, 1024), "2-3-5-7": (8, 4096), "primes": (11, 251)}
REAL_ALLOWANCE = 0.85  # r2c and c2r are asked for 15% less
# Ratios to FFTW's and to MKL's speed by shape and threads.
ASKED_CUBES = {
    ((128, 128, 128), 1): (2.0, None),
    ((256, 256, 256), 1): (2.0, None),
    ((256, 256, 256), 2): (None, 1 / 0.7),
}
# The most that an error may exceed FFTW's, by the largest prime factor of the length: beyond 251
# Bluestein's algorithm is used.
LARGEST_DIRECT_PRIME = 251
ASKED_ERROR, ASKED_BLUESTEIN_ERROR = 1.5, 3.0


def load(names):
    records = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            records += [json.loads(line) for line in file if line.strip()]
    return records


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def engines_of(records):
    """All engines that occur, the first seen first."""
    return list(dict.fromkeys(name for one in records for name in one.get("engines", {})))


def speed(record, engine):
    entry = record["engines"].get(engine) if record else None
    return entry["gflops"] if entry else None


def filled(records, kind, precision, level):
    """By pattern and length, the dense cases whose batch fills the level."""
    wanted = {"study": "lines", "kind": kind, "precision": precision, "level": level}
    wanted |= {"distance": None, "filled": True}
    return {
        (one["pattern"], one["length"]): one for one in records if all(item in one.items() for item in wanted.items())
    }


def ratio(engine, record, other, own_lines):
    """How much faster the engine is than what it is compared with; None if one of them lacks."""
    mine = speed(record, engine)
    if other == "own lines":
        theirs = speed(own_lines, engine)
    elif other == "better":
        theirs = max((speed(record, one) or 0 for one in COMPETITORS if one != engine), default=0)
    else:
        theirs = speed(record, other) if other != engine else None
    return mine / theirs if mine and theirs else None


def verdict(value, asked, at_most=False):
    """`1.30 (1.10)`; a star where it falls short."""
    if value is None:
        return "-"
    if asked is None:
        return f"{value:.2f}"
    short = value > asked if at_most else value < asked
    return f"{value:.2f} ({asked:.2f}){'*' if short else ''}"


def print_table(head, rows):
    if not rows:
        return
    widths = [max(len(row[i]) for row in [head, *rows]) for i in range(len(head))]
    for row in [head, *rows]:
        print("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip())
    print()


def judged_row(cases, engine, engines, kind, precision, group, pattern):
    least, most = JUDGED_LENGTHS[group]
    records = [
        one
        for (where, length), one in sorted(cases.items())
        if where == pattern and one["group"] == group and least <= length <= most
    ]
    if not records:
        return None
    asked = ASKED[group]["permuting" if "-to-" in pattern else pattern]
    allowance = 1 if kind == "c2c" else REAL_ALLOWANCE
    row = [group, kind, precision, pattern, str(len(records))]
    for name in engines:
        mean = geometric_mean([s for one in records if (s := speed(one, name))])
        row.append(f"{mean:.2f}" if mean else "-")
    for other in (*COMPETITORS, "better", "own lines"):
        pairs = [ratio(engine, one, other, cases.get(("lines", one["length"]))) for one in records]
        if pattern == "lines" and other == "own lines":
            row.append("-")
            continue
        least_ratio = asked[other] * allowance if other in asked else None
        row.append(verdict(geometric_mean([value for value in pairs if value]), least_ratio))
    return row


def print_judged(records, engine, level):
    engines = engines_of([one for one in records if one["study"] == "lines"])
    rows = []
    for kind in ("c2c", "r2c", "c2r"):
        for precision in ("f64", "f32"):
            cases = filled(records, kind, precision, level)
            for group in GROUPS:
                for pattern in PATTERNS:
                    rows.append(
                        judged_row(cases, engine, engines, kind, precision, group, pattern)
                    )
    others = [f"{engine}/{other}" for other in (*COMPETITORS, "better", "own lines")]
    print(f"In {level}: geometric means over lengths of GFLOP/s and of their ratios, in brackets")
    print("what is asked; a star marks what falls short.")
    head = ["group", "kind", "precision", "pattern", "lengths", *engines, *others]
    print_table(head, [row for row in rows if row])


def element_s(record, engine):
    """Seconds for an element of a line; None where that was not measured."""
    entry = record["engines"].get(engine) if record else None
    return entry["seconds"]["median"] / record["batch"] / record["length"] if entry else None


def print_real_to_real(records, engine, level):
    """The engine's times over its own r2c's and over FFTW's, for the same lengths."""
    rows = []
    for precision in ("f64", "f32"):
        real = filled(records, "r2c", precision, level)
        for kind in REAL_TO_REAL:
            for (pattern, length), one in sorted(filled(records, kind, precision, level).items()):
                mine = element_s(one, engine)
                others = (element_s(real.get((pattern, length)), engine), element_s(one, "fftw"))
                rows.append((kind, precision, pattern, length, [mine / s if s else None for s in others]))
    table = []
    for kind, precision, pattern in dict.fromkeys(row[:3] for row in rows):
        here = [row for row in rows if row[:3] == (kind, precision, pattern)]
        line = [kind, precision, pattern, str(len(here))]
        for which in range(2):
            known = [(row[4][which], row[3]) for row in here if row[4][which]]
            mean = geometric_mean([value for value, _ in known])
            most = max(known, default=(None, None))
            line.append(f"{mean:.2f} ({most[1]}: {most[0]:.2f})" if mean else "-")
        table.append(line)
    if table:
        print(f"Real-to-real kinds in {level}: {engine}'s time over that of its own r2c and over FFTW's,")
        print("geometric means over lengths, in brackets the largest.")
    print_table(["kind", "precision", "pattern", "lengths", "over own r2c", "over fftw"], table)


def print_cubes(records, engine):
    cubes = [one for one in records if one["study"] == "cube"]
    engines = engines_of(cubes)
    rows = []
    for one in cubes:
        shape = tuple(one["shape"])
        speeds = [speed(one, name) for name in engines]
        fftw, mkl = ASKED_CUBES.get((shape, one["threads"]), (None, None))
        rows.append(
            ["x".join(map(str, shape)), str(one["threads"])]
            + [f"{value:.2f}" if value else "-" for value in speeds]
            + [verdict(ratio(engine, one, "fftw", None), fftw)]
            + [verdict(ratio(engine, one, "mkl", None), mkl)]
        )
    head = ["shape", "threads", *engines, f"{engine}/fftw", f"{engine}/mkl"]
    print_table(head, rows)


def worst_error(records, engine):
    """The largest ratio to FFTW's error, and its length."""
    found = [
        (one["engines"][engine]["over_fftw"], one["length"])
        for one in records
        if one["engines"].get(engine, {}).get("over_fftw") is not None
    ]
    return max(found, default=(None, None))


def print_errors(records, engine):
    accuracy = [one for one in records if one["study"] == "accuracy"]
    rows = []
    for kind in ("c2c", "r2c", "c2r"):
        for precision in ("f64", "f32"):
            for direct in (True, False):
                some = [
                    one
                    for one in accuracy
                    if (one["kind"], one["precision"]) == (kind, precision)
                    and (one["largest_prime"] <= LARGEST_DIRECT_PRIME) == direct
                ]
                if not some:
                    continue
                row = [kind, precision, f"{'to' if direct else 'beyond'} {LARGEST_DIRECT_PRIME}"]
                row.append(str(len(some)))
                for name in engines_of(accuracy):
                    worst, length = worst_error(some, name)
                    asked = ASKED_ERROR if direct else ASKED_BLUESTEIN_ERROR
                    text = verdict(worst, asked if name == engine else None, at_most=True)
                    row.append(text if worst is None else f"{text} at {length}")
                rows.append(row)
    if rows:
        print("The largest ratio of an rms error to FFTW's, by the largest prime factor.")
    head = ["kind", "precision", "primes", "lengths", *engines_of(accuracy)]
    print_table(head, rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", help="what engine_study printed")
    parser.add_argument("--engine", default="native", help="which is judged (%(default)s)")
    parser.add_argument("--level", default="L2", help="L1, L2 or memory (%(default)s)")
    options = parser.parse_args()
    records = load(options.results)
    print_judged(records, options.engine, options.level)
    print_real_to_real(records, options.engine, options.level)
    print_cubes(records, options.engine)
    print_errors(records, options.engine)


if __name__ == "__main__":
    sys.exit(main())
