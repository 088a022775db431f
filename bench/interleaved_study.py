#!/usr/bin/env python3
"""Interleaved fields beside FFTW-MPI, and beside an older build.

    bench/interleaved_study.py build/bin/weft --old OLD/bin/weft --json interleaved.json

Fields are the fastest axis (FFTW's howmany), of the shapes of programs that have such arrays. Each round
runs `weft bench PROBLEM --against fftw-mpi` of both builds, the other first in every second round, on one
rank and on two. Printed are medians over the rounds: seconds of the new build, its ratio to FFTW-MPI's in
the same run, and to the old build's.
"""
import argparse
import collections
import itertools
import json
import statistics
import subprocess

from compare_builds import geometric_mean, quartiles
from origin import origin

PROBLEMS = ("c2c:f64:16x16x16*3", "c2c:f64:16x16x16*30", "c2c:f64:32x32x1*24", "c2c:f64:80x80x1*6",
            "c2c:f64:100x10x1*24", "c2c:f64:64x64x64*3", "r2c:f64:64x64x64*3", "r2c:f64:128x128x128*3")
DIRECTIONS = ("forward", "backward")


def bench(weft, problem, ranks):
    """Seconds by library and direction of one run."""
    command = ["mpirun", "-n", str(ranks), weft, "bench", problem + " in=slab(0)@012b", "--against", "fftw-mpi",
               "--json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {(one["library"], way): one[f"{way}_s"]["median"] for one in told["results"] for way in DIRECTIONS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("new", help="the command weft")
    parser.add_argument("--old", help="that of the build before")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each build (5)")
    parser.add_argument("--json", help="write all cases into this file")
    options = parser.parse_args()

    cases = []
    for problem, ranks in itertools.product(PROBLEMS, (1, 2)):
        found = collections.defaultdict(list)
        for turn in range(options.rounds):
            builds = [name for name in ("old", "new") if getattr(options, name)]
            runs = {name: bench(getattr(options, name), problem, ranks)
                    for name in (builds if turn % 2 == 0 else reversed(builds))}
            for way in DIRECTIONS:
                seconds = runs["new"]["weft", way]
                found["seconds", way].append(seconds)
                found["over_fftw", way].append(seconds / runs["new"]["fftw-mpi", way])
                if options.old:
                    found["over_old", way].append(seconds / runs["old"]["weft", way])
        for way in DIRECTIONS:
            case = {"problem": problem, "ranks": ranks, "direction": way}
            for what in ("seconds", "over_fftw", "over_old"):
                if found[what, way]:
                    case[what] = statistics.median(found[what, way])
                    if what != "seconds":
                        case[what + "_quartiles"] = quartiles(found[what, way])
            cases.append(case)
            print(*(f"{value:.4g}" if isinstance(value, float) else value for value in case.values()), flush=True)
    ratios = [what for what in ("over_fftw", "over_old") if what in cases[0]]
    means = {what: geometric_mean([case[what] for case in cases]) for what in ratios}
    print(means)
    if options.json:
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**origin(options.new), "old_commit": origin(options.old)["commit"] if options.old else None,
                       "rounds": options.rounds, "geometric_means": means, "cases": cases}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
