#!/usr/bin/env python3
"""Transforms that keep a part of spectra or fields beside those of whole arrays.

    bench/kept_study.py build/bin/weft --json kept.json

Each round runs `weft bench` of both on two ranks, the whole one first in every second round. Printed are medians
over the rounds: seconds of the one that keeps a part, and its ratio to the whole one, forward and backward.
"""
import argparse
import json
import statistics
import subprocess

from compare_builds import quartiles
from origin import origin

CASES = (("c2c:f64:96x96x96", "modes=64x64x64"), ("r2c:f64:96x96x96", "modes=64x64x64"),
         ("c2c:f64:384x384x384", "modes=256x256x256"), ("r2c:f64:384x384x384", "modes=256x256x256"),
         ("c2c:f64:128x128x128", "inside=64x64x64"))
DIRECTIONS = ("forward", "backward")


def bench(weft, problem, ranks):
    """Seconds by direction of one run."""
    command = ["mpirun", "-n", str(ranks), weft, "bench", problem, "--json"]
    told = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
    return {way: told["results"][0][f"{way}_s"]["median"] for way in DIRECTIONS}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("--ranks", type=int, default=2, help="ranks (2)")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--only", default="", help="cases whose text has this in it")
    parser.add_argument("--json", help="write all cases into this file")
    options = parser.parse_args()

    cases = []
    for problem, kept in CASES:
        if options.only not in f"{problem} {kept}":
            continue
        seconds = {way: [] for way in DIRECTIONS}
        ratios = {way: [] for way in DIRECTIONS}
        for turn in range(options.rounds):
            texts = (problem, f"{problem} {kept}")
            runs = {text: bench(options.weft, text, options.ranks) for text in texts[::1 if turn % 2 == 0 else -1]}
            for way in DIRECTIONS:
                seconds[way].append(runs[texts[1]][way])
                ratios[way].append(runs[texts[1]][way] / runs[texts[0]][way])
        for way in DIRECTIONS:
            case = {"problem": texts[1], "direction": way, "seconds": statistics.median(seconds[way]),
                    "over_whole": statistics.median(ratios[way]), "over_whole_quartiles": quartiles(ratios[way])}
            cases.append(case)
            print(f"{case['problem']:44} {way:8} {case['seconds']:.3e} s  {case['over_whole']:.3f} of the whole one")
    if options.json:
        record = {**origin(options.weft), "ranks": options.ranks, "rounds": options.rounds, "cases": cases}
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
