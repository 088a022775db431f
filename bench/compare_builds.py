#!/usr/bin/env python3
"""Two builds of engine_study against each other: is the engine of one slower than that of the other?

    bench/engine_compare.py OLD/bin/engine_study NEW/bin/engine_study --json compare.json \
        -- lines --engines native --kinds c2c --lengths 64,100,125

Both programs run the same cases (what follows `--`) in turn, the other first in every second round, so
that whatever slows the machine down slows both. The figure of a case is the median over the rounds of
new/old, each of the median seconds of one run. Printed are, for each kind, precision and pattern, the
geometric mean over all cases and the slowest lengths; the JSON has all cases.
"""
import argparse
import collections
import json
import math
import os
import statistics
import subprocess
import sys

KEY = ("kind", "precision", "pattern", "length", "distance", "level", "batch", "filled")


def cases(program, arguments):
    """The lines of a run: the machine, and seconds by case."""
    output = subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout
    machine, seconds = None, {}
    for line in map(json.loads, output.splitlines()):
        if line["study"] == "machine":
            machine = line
        elif line["study"] == "lines":
            key = tuple(line[name] for name in KEY)
            seconds[key] = line["engines"]["native"]["seconds"]["median"]
    return machine, seconds


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--json", help="write all cases into this file")
    own, _, arguments = " ".join(sys.argv[1:]).partition(" -- ")
    options = parser.parse_args(own.split())
    options.arguments = arguments.split()

    ratios, machine = collections.defaultdict(list), None
    for turn in range(options.rounds):
        order = (options.old, options.new) if turn % 2 == 0 else (options.new, options.old)
        results = {}
        for program in order:
            machine, results[program] = cases(program, options.arguments)
        for key, old in results[options.old].items():
            if key in results[options.new]:
                ratios[key].append(results[options.new][key] / old)
        print(f"round {turn + 1} of {options.rounds}", file=sys.stderr)

    found = {key: statistics.median(some) for key, some in ratios.items()}
    groups = collections.defaultdict(dict)
    for key, ratio in found.items():
        groups[key[:3]].setdefault(key[3], []).append(ratio)
    summary = []
    for (kind, precision, pattern), lengths in sorted(groups.items()):
        by_length = {length: geometric_mean(some) for length, some in lengths.items()}
        everything = [ratio for some in lengths.values() for ratio in some]
        slowest = sorted(by_length, key=by_length.get, reverse=True)[:4]
        mean = geometric_mean(everything)
        summary.append({"kind": kind, "precision": precision, "pattern": pattern, "cases": len(everything),
                        "geometric_mean": round(mean, 4),
                        "by_length": {str(n): round(r, 4) for n, r in sorted(by_length.items())}})
        print(f"{kind} {precision} {pattern:15} new/old {mean:.3f} of {len(everything):4} cases; slowest "
              + ", ".join(f"{n}: {by_length[n]:.3f}" for n in slowest))
    if options.json:
        vectors = os.environ.get("WEFT_VECTORS")
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machine, "vectors": vectors, "rounds": options.rounds,
                       "arguments": options.arguments, "summary": summary,
                       "cases": [dict(zip(KEY, key), ratio=round(r, 4)) for key, r in found.items()]},
                      file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
