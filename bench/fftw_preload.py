#!/usr/bin/env python3
"""How much faster is a program for FFTW-MPI with weft's library preloaded?

usage: bench/fftw_preload.py --json FILE [--sizes 128,256] [--rounds 5] [-n 2] [--build build]
       bench/fftw_preload.py --table FILE

Runs bench/fftw_preload.c with FFTW alone and with libweft_fftw3_mpi preloaded, in turns, so that what
else the machine does meets both. The seconds of a round are the median of its transforms, there and
back together; a case's are the median of its rounds."""
import argparse
import json
import os
import statistics
import subprocess
import sys
from pathlib import Path

from origin import origin


def run(build, ranks, case, repeats, preload):
    env = ["env", *([f"LD_PRELOAD={build}/lib/libweft_fftw3_mpi.so"] if preload else [])]
    command = ["mpirun", "-n", str(ranks), *env, f"{build}/bin/fftw_preload", *case, str(repeats)]
    done = subprocess.run(["timeout", "-s", "ABRT", "500", *command], text=True, capture_output=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(command)}: {done.stderr[-2000:]}")
    result = json.loads(done.stdout)
    if result["error"] > 1e-10:
        sys.exit(f"{' '.join(command)}: wrong by {result['error']}")
    return result


def measure(arguments):
    build = Path(arguments.build).resolve()
    cases = [(str(n), kind, order, rigour) for n in arguments.sizes for kind in ("c2c", "r2c")
             for order in ("natural", "transposed") for rigour in ("estimate", "measure")]
    rounds = {case: {"fftw": [], "weft": []} for case in cases}
    machine = {**origin(build / "bin" / "weft"), "cores": os.cpu_count(), "ranks": arguments.n}
    for round_number in range(arguments.rounds):
        for case in cases:
            repeats = 10 if int(case[0]) <= 128 else 3
            order = ["fftw", "weft"] if round_number % 2 == 0 else ["weft", "fftw"]
            for runner in order:
                result = run(build, arguments.n, case, repeats, runner == "weft")
                rounds[case][runner].append(result)
            print(round_number, *case, *(f"{runner} {middle(rounds[case][runner][-1:]):.4f}"
                                         for runner in ("fftw", "weft")), flush=True)
        lines = [dict(zip(("n", "kind", "order", "rigour"), case), **summary(of))
                 for case, of in rounds.items()]
        study = {"machine": machine, "rounds": round_number + 1, "cases": lines}
        Path(arguments.json).write_text(json.dumps(study, indent=1) + "\n")
    return study


def middle(results):
    return statistics.median(statistics.median(there + back for there, back in result["seconds"])
                             for result in results)


def summary(rounds):
    result = {}
    for runner, results in rounds.items():
        result[f"{runner}_s"] = middle(results)
        result[f"{runner}_rounds"] = [middle([one]) for one in results]
        result[f"{runner}_planning_s"] = statistics.median(one["planning"] for one in results)
    result["times_as_fast"] = round(result["fftw_s"] / result["weft_s"], 3)
    return result


def table(study):
    print("n     kind  order       rigour     fftw s    weft s    times as fast   planning s")
    for case in study["cases"]:
        print(f"{case['n']:5} {case['kind']:5} {case['order']:11} {case['rigour']:9} "
              f"{case['fftw_s']:8.4f}  {case['weft_s']:8.4f}  {case['times_as_fast']:13.2f}   "
              f"{case['fftw_planning_s']:.3f} {case['weft_planning_s']:.3f}")


parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
parser.add_argument("--json")
parser.add_argument("--table")
parser.add_argument("--sizes", type=lambda text: [int(n) for n in text.split(",")], default=[128, 256])
parser.add_argument("--rounds", type=int, default=5)
parser.add_argument("-n", type=int, default=2, help="ranks")
parser.add_argument("--build", default="build")
arguments = parser.parse_args()
if arguments.json:
    table(measure(arguments))
elif arguments.table:
    table(json.loads(Path(arguments.table).read_text()))
else:
    parser.error("say --json FILE or --table FILE")
