#!/usr/bin/env python3
"""Transforms that keep or send a part of spectra or fields beside whole ones, and beside other libraries.

    bench/kept_study.py build/bin/weft --json kept.json
    bench/kept_study.py build/bin/weft --peer "mpi4py-fft=python3 padded.py" --peer spfft=./sphere
    bench/kept_study.py build/bin/weft --only 96x96x96 --ranks 4 --choice "decomposition=pencil(2x2)" \
        --launch "bench/cluster/cluster run openmpi"

Each round runs `weft bench` of both and each peer, in the other order in every second round. Printed are medians over
the rounds: seconds of the one that keeps a part, and its ratios to the whole one and to peers, forward and backward.

A peer is a program of yours, started as `mpirun -n RANKS COMMAND PROBLEM`. It transforms what the text of the problem
says (as "c2c:f64:96x96x96 modes=64x64x64") with another library and prints one object of JSON: the library's `version`,
and `forward_s` and `backward_s`, medians of the slowest rank's seconds; or `null` if the library cannot do it.
"""
import argparse
import collections
import json
import shlex
import statistics
import subprocess

from compare_builds import quartiles
from origin import origin

CASES = (("c2c:f64:96x96x96", "modes=64x64x64", 2), ("r2c:f64:96x96x96", "modes=64x64x64", 2),
         ("c2c:f64:384x384x384", "modes=256x256x256", 2), ("r2c:f64:384x384x384", "modes=256x256x256", 2),
         ("c2c:f64:128x128x128", "inside=64x64x64", 2),
         ("c2c:f64:128x128x128", "modes=65x65x65 out=sphere(32)", 2),
         ("c2c:f64:128x128x128", "modes=65x65x65 out=sphere(32)", 1),
         ("c2c:f64:128x128x128 in=slab(0)", "; wire=f32", 2), ("r2c:f64:128x128x128 in=slab(0)", "; wire=f32", 2),
         ("c2c:f64:128x128x128 in=slab(0)", "; wire=f32; carrier=messages", 2))
DIRECTIONS = ("forward", "backward")


def run(launch, command):
    """What one run prints, as JSON."""
    return json.loads(subprocess.run([*launch, *command], check=True, capture_output=True, text=True).stdout)


def bench(options, launch, problem):
    """Seconds by direction of one run of weft."""
    text = f"{problem}; {options.choice}" if options.choice else problem
    told = run(launch, [options.weft, "bench", text, "--repeat", str(options.repeat), "--json"])["results"][0]
    return {way: told[f"{way}_s"]["median"] for way in DIRECTIONS}


class Study:
    def __init__(self, options):
        self.options = options
        self.peers = dict(peer.split("=", 1) for peer in options.peer)
        self.versions = {}

    def beside(self, launch, name, problem):
        """Seconds by direction of one run of a peer, or None."""
        told = run(launch, [*shlex.split(self.peers[name]), problem])
        if told:
            self.versions[name] = told["version"]
            return {way: told[f"{way}_s"] for way in DIRECTIONS}
        return None

    def measure(self, problem, kept, ranks):
        """The cases of one problem, a direction each."""
        part = f"{problem} {kept}"
        launch = [*shlex.split(self.options.launch), "-n", str(ranks)]
        runners = {"whole": lambda: bench(self.options, launch, problem),
                   "part": lambda: bench(self.options, launch, part)}
        for name in self.peers:
            runners[name] = lambda name=name: self.beside(launch, name, part)
        found = collections.defaultdict(list)
        for turn in range(self.options.rounds):
            seconds = {name: runners[name]() for name in list(runners)[::1 if turn % 2 == 0 else -1]}
            for way in DIRECTIONS:
                found["seconds", way].append(seconds["part"][way])
                for name, other in seconds.items():
                    if name != "part" and other:
                        found[name, way].append(seconds["part"][way] / other[way])
        for way in DIRECTIONS:
            case = {"problem": part, "ranks": ranks, "direction": way,
                    "seconds": statistics.median(found["seconds", way])}
            for name in ("whole", *self.peers):
                if found[name, way]:
                    case[f"over_{name}"] = statistics.median(found[name, way])
                    case[f"over_{name}_quartiles"] = quartiles(found[name, way])
            print(f"{part:50} {ranks} {way:8} {case['seconds']:.3e} s ",
                  *(f"{case[key]:.3f} {key}" for key in case if key.startswith("over") and "_q" not in key), flush=True)
            yield case


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("--launch", default="mpirun", help="what starts ranks when -n RANKS follows (mpirun)")
    parser.add_argument("--ranks", type=int, help="ranks of all cases (2, and 1 for one more of a sphere)")
    parser.add_argument("--choice", default="", help="how both are solved, as 'decomposition=pencil(2x2)'")
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--repeat", type=int, default=11, help="transforms of weft in a run (11)")
    parser.add_argument("--peer", action="append", default=[], metavar="NAME=COMMAND",
                        help="a program that times another library, may be given again")
    parser.add_argument("--only", default="", help="cases whose text has this in it")
    parser.add_argument("--json", help="write all cases into this file")
    options = parser.parse_args()

    study, cases = Study(options), []
    for problem, kept in dict.fromkeys(case[:2] for case in CASES):
        for ranks in dict.fromkeys(options.ranks or case[2] for case in CASES if case[:2] == (problem, kept)):
            if options.only in f"{problem} {kept}":
                cases += study.measure(problem, kept, ranks)
    if options.json:
        record = origin(options.weft)
        record["versions"] |= study.versions
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**record, "choice": options.choice, "rounds": options.rounds, "cases": cases}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
