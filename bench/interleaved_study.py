#!/usr/bin/env python3
"""Interleaved fields and small transforms beside FFTW-MPI, and beside an older build.

    bench/interleaved_study.py build --old OLD --json interleaved.json

Fields are the fastest axis (FFTW's howmany), of the shapes of programs that have such arrays. Each round
runs `weft bench PROBLEM --against fftw-mpi` of both builds, the other first in every second round, on one
rank and on two, in place and not; and fftw_preload, a program for FFTW-MPI that plans with ESTIMATE, with
and without weft's library in its place ("drop-in"). Printed are medians over the rounds: seconds of the
new build, its ratio to FFTW-MPI's in the same run, and to the old build's.
"""
import argparse
import collections
import itertools
import json
import statistics
import subprocess
from pathlib import Path

from compare_builds import geometric_mean, quartiles
from origin import origin

FIELDS = ("c2c:f64:16x16x16*3", "c2c:f64:16x16x16*30", "c2c:f64:32x32x1*24", "c2c:f64:80x80x1*6",
          "c2c:f64:100x10x1*24", "c2c:f64:64x64x64*3", "r2c:f64:64x64x64*3", "r2c:f64:128x128x128*3")
DROP_IN = FIELDS + ("cosines:f64:64x64x64*3",)
SMALL = (("c2c:f64:16x16x16", 1), ("c2c:f64:32x32x32", 1), ("c2c:f64:64x64", 1), ("c2c:f64:32x32x32*64", 1),
         ("c2c:f64:256x256x256", 1), ("c2c:f64:32x32x32", 2), ("c2c:f64:64x64x64", 2), ("r2c:f64:64x64x64", 2))
PLACES = ("", " in_place")
DIRECTIONS = ("forward", "backward")
CASES = ([("weft bench", f"{problem} in=slab(0)@012b{place}", ranks)
          for problem, ranks, place in itertools.product(FIELDS, (1, 2), PLACES)]
         + [("weft bench", f"{problem} in=slab(0)", ranks) for problem, ranks in SMALL]
         + [("drop-in", problem + place, ranks) for problem, ranks, place in itertools.product(DROP_IN, (1, 2), PLACES)])


def told(command):
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True, timeout=500).stdout)


def bench(build, problem, ranks):
    """Seconds by library and direction of one run."""
    result = told(["mpirun", "-n", str(ranks), f"{build}/bin/weft", "bench", problem, "--against", "fftw-mpi",
                   "--unchecked", "--json"])
    return {(one["library"], way): one[f"{way}_s"]["median"] for one in result["results"] for way in DIRECTIONS}


def drop_in(build, problem, ranks):
    """The same of a program for FFTW-MPI, and its seconds of planning."""
    kind, _, shape = problem.split()[0].split(":")
    seconds = {}
    for library, given in (("fftw-mpi", []), ("weft", [f"LD_PRELOAD={build}/lib/libweft_fftw3_mpi.so"])):
        result = told(["mpirun", "-n", str(ranks), "env", *given, f"{build}/bin/fftw_preload", shape, kind, "natural",
                       "estimate", "21", *([] if "in_place" in problem else ["apart"])])
        if result["error"] > 1e-9:
            raise SystemExit(f"{problem}: {library} is wrong by {result['error']}")
        seconds |= {(library, way): statistics.median(column)
                    for way, column in zip(DIRECTIONS, zip(*result["seconds"]))}
        seconds[library, "planning"] = result["planning"]
    return seconds


def measure(options, program, problem, ranks):
    """The cases of one problem, a direction each; of the drop-in also planning."""
    run = bench if program == "weft bench" else drop_in
    ways = DIRECTIONS if program == "weft bench" else (*DIRECTIONS, "planning")
    found = collections.defaultdict(list)
    for turn in range(options.rounds):
        builds = [name for name in ("old", "new") if getattr(options, name)]
        runs = {name: run(getattr(options, name), problem, ranks)
                for name in (builds if turn % 2 == 0 else reversed(builds))}
        for way in ways:
            seconds = runs["new"]["weft", way]
            found["seconds", way].append(seconds)
            found["over_fftw", way].append(seconds / runs["new"]["fftw-mpi", way])
            if options.old:
                found["over_old", way].append(seconds / runs["old"]["weft", way])
    for way in ways:
        case = {"program": program, "problem": problem, "ranks": ranks, "what": way}
        for what in ("seconds", "over_fftw", "over_old"):
            if found[what, way]:
                case[what] = statistics.median(found[what, way])
                if what != "seconds":
                    case[what + "_quartiles"] = quartiles(found[what, way])
        print(*(f"{value:.4g}" if isinstance(value, float) else value for value in case.values()), flush=True)
        yield case


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("new", help="the build's folder")
    parser.add_argument("--old", help="that of the build before")
    parser.add_argument("--rounds", type=int, default=5, help="runs of each build (5)")
    parser.add_argument("--only", default="", help="cases whose program or problem has this in it")
    parser.add_argument("--json", help="write all cases into this file")
    options = parser.parse_args()

    cases = []
    for program, problem, ranks in CASES:
        if options.only in f"{program} {problem}":
            cases += measure(options, program, problem, ranks)
    transforms = [case for case in cases if case["what"] != "planning"]
    means = {}
    for program, what in itertools.product(("weft bench", "drop-in"), ("over_fftw", "over_old")):
        ratios = [case[what] for case in transforms if case["program"] == program and what in case]
        if ratios:
            means[f"{program}, {what}"] = geometric_mean(ratios)
    print(means, "above 0.9 of FFTW-MPI:")
    for case in cases:
        if case["over_fftw"] > (1 if case["what"] == "planning" else 0.9):
            print(*list(case.values())[:6])
    if options.json:
        new = origin(Path(options.new) / "bin/weft")
        old = origin(Path(options.old) / "bin/weft")["commit"] if options.old else None
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**new, "old_commit": old, "rounds": options.rounds, "geometric_means": means, "cases": cases},
                      file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
