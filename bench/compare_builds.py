#!/usr/bin/env python3
"""Two builds of a study against each other: is one slower than the other?

    bench/compare_builds.py OLD/bin/engine_study NEW/bin/engine_study --json compare.json \
        -- lines --engines native --kinds c2c --lengths 64,100,125
    bench/compare_builds.py OLD/bin/node_study NEW/bin/node_study --launch "mpiexec -n 2" \
        -- --only weft,weft-allocated --shapes 64x64x64,128x128x128
    bench/compare_builds.py OLD/bin/bind_study NEW/bin/bind_study --launch "mpiexec -n 2"

Both programs run the same cases (what follows `--`) in turn, the other first in every second round, so
that whatever slows the machine down slows both. The figure of a case is the median over the rounds of
new/old, each of the median seconds of one run. Printed are, for each group of cases (of engine_study:
kind, precision and pattern; of node_study and overlap_study: runner and direction; of bind_study: planning
or binding, and way), the geometric mean and the slowest cases; the JSON has all, with the quartiles of the
rounds. OLD may be given as NEW: that shows the noise.
"""
import argparse
import collections
import json
import math
import os
import shlex
import statistics
import subprocess
import sys
import tempfile

from origin import origin_of

LINE_KEY = ("kind", "precision", "pattern", "length", "distance", "level", "batch", "filled")
RUNNER_KEY = ("direction", "runner", "problem")
WHAT = {"node": ("forward", "backward"), "bind": ("plan", "bind"), "overlap": ("forward",)}
MACHINE = ("cores", "nodes", "ranks", "compiler")


def of_lines(record):
    """Seconds by case of one line of engine_study's output."""
    key = tuple(record[name] for name in LINE_KEY)
    return {key: record["engines"]["native"]["seconds"]["median"]}


def of_runner(record, what):
    """Seconds by case of one line of node_study's or bind_study's output."""
    return {(one, record["runner"], record["problem"]): record[one + "_s"]["median"] for one in what}


def run(launch, program, arguments):
    """The machine, and seconds by case, of one run."""
    with tempfile.NamedTemporaryFile(suffix=".json") as file:
        lines = os.path.basename(program) == "engine_study"
        command = [*launch, program, *arguments, *([] if lines else ["--json", file.name])]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
        text = output if lines else file.read().decode()
    machine, seconds = None, {}
    for record in map(json.loads, text.splitlines()):
        if record["study"] == "machine":
            machine = record
        elif record["study"] == "lines":
            seconds.update(of_lines(record))
        elif record["study"] in WHAT:
            machine = {**origin_of(record), **{name: record[name] for name in MACHINE}}
            seconds.update(of_runner(record, WHAT[record["study"]]))
    return machine, seconds


def geometric_mean(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def quartiles(values):
    if len(values) < 2:
        return None
    q1, _, q3 = statistics.quantiles(values, n=4, method="inclusive")
    return [round(q1, 4), round(q3, 4)]


def summary_of(found, lines):
    """For each group of cases: its size, geometric mean, and the mean of each length or problem."""
    width, name = (3, "length") if lines else (2, "problem")
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for key, ratio in found.items():
        groups[key[:width]][key[width]].append(ratio)
    result = []
    for group, parts in sorted(groups.items()):
        means = {part: geometric_mean(some) for part, some in parts.items()}
        everything = [ratio for some in parts.values() for ratio in some]
        result.append(dict(zip(LINE_KEY if lines else RUNNER_KEY, group), cases=len(everything),
                           geometric_mean=round(geometric_mean(everything), 4),
                           **{"by_" + name: {str(n): round(r, 4) for n, r in sorted(means.items())}}))
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each program (5)")
    parser.add_argument("--launch", default="", help="what starts them, as \"mpiexec -n 2\"")
    parser.add_argument("--json", help="write all cases into this file")
    if "--" in sys.argv:
        split = sys.argv.index("--")
        own, arguments = sys.argv[1:split], sys.argv[split + 1:]
    else:
        own, arguments = sys.argv[1:], []
    options = parser.parse_args(own)

    ratios, machines = collections.defaultdict(list), {}
    for turn in range(options.rounds):
        # Two entries also where both are the same program.
        order = [("old", options.old), ("new", options.new)]
        results = {}
        for name, program in order if turn % 2 == 0 else reversed(order):
            machines[name], results[name] = run(shlex.split(options.launch), program, arguments)
        for key, old in results["old"].items():
            if key in results["new"]:
                ratios[key].append(results["new"][key] / old)
        print(f"round {turn + 1} of {options.rounds}", file=sys.stderr)

    found = {key: statistics.median(some) for key, some in ratios.items()}
    lines = os.path.basename(options.old) == "engine_study"
    summary = summary_of(found, lines)
    for group in summary:
        parts = group["by_length" if lines else "by_problem"]
        slowest = sorted(parts, key=parts.get, reverse=True)[:4]
        title = " ".join(str(value) for value in list(group.values())[:3 if lines else 2])
        print(f"{title:28} new/old {group['geometric_mean']:.3f} of {group['cases']:4} cases; slowest "
              + ", ".join(f"{n}: {parts[n]:.3f}" for n in slowest))
    if options.json:
        key_names = LINE_KEY if lines else RUNNER_KEY
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({"machine": machines["new"], "old": origin_of(machines["old"]),
                       "rounds": options.rounds, "arguments": arguments, "summary": summary,
                       "cases": [dict(zip(key_names, key), ratio=round(r, 4), quartiles=quartiles(ratios[key]))
                                 for key, r in found.items()]},
                      file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
