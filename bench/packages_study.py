#!/usr/bin/env python3
"""Other packages of distributed FFTs beside weft: seconds, and bytes that they send.

    bench/packages_study.py race build/bin/weft --program 'mpi4py-fft=mpirun -n {ranks} ..' --json packages.json
    bench/packages_study.py race build/bin/weft --ranks 1,2 --fftw avx512=DIR/lib --json fftw_vectors.json
    bench/packages_study.py volume build/bin/weft --traffic build/lib/libweft_traffic.so --program .. --json sent.json

A program is one of `weft bench --against program:NAME=COMMAND` (bench/README.md). `race` runs `weft bench` of each
problem beside FFTW-MPI and the programs; each round uses one after the other the system's FFTW and that of each
--fftw, in another order in every second round. Printed are medians over rounds: weft's seconds over the other's.
`volume` counts the bytes of one forward transform by the library of bench/traffic.c, of each program and of weft's
default path by via=alltoallv (its default on one node sends nothing), beside what `weft explain --volume` says of it.
"""
import argparse
import collections
import json
import os
import re
import shlex
import statistics
import subprocess
import tempfile

from compare_builds import quartiles
from origin import origin

PROBLEMS = [f"{kind}:f64:{n}x{n}x{n}" for kind in ("c2c", "r2c") for n in (64, 128, 256)]
DIRECTIONS = ("forward", "backward")
asked = {}  # whether a program does a kind of problem on so many ranks


def told(command, **variables):
    """What a command prints; LD_LIBRARY_PATH, or what is preloaded, by `variables`."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=3600, env={**os.environ, **variables})
    if done.returncode != 0:
        raise SystemExit(f"{shlex.join(command)}: {done.stderr[-2000:]}")
    return done.stdout


def applies(name, problem, ranks, options):
    """Whether a program does a problem: it says so itself of one with few points, and is asked once."""
    small = re.sub(r"\d+x\d+x\d+", "16x16x16", problem)
    if (name, small, ranks) in asked:
        return asked[name, small, ranks]
    done = subprocess.run([*options.launch, str(ranks), options.weft, "bench", small, "--repeat", "1",
                           "--against", f"program:{name}"], capture_output=True, text=True, timeout=600)
    if done.returncode not in (0, 3):
        raise SystemExit(f"{name}: {done.stderr[-2000:]}")
    asked[name, small, ranks] = done.returncode == 0
    return asked[name, small, ranks]


def one_round(problem, ranks, programs, folder, options):
    """Records by library."""
    against = [word for name in programs for word in ("--against", f"program:{name}")]
    variables = {"LD_LIBRARY_PATH": folder} if folder else {}
    command = [*options.launch, str(ranks), options.weft, "bench", problem, "--against", "fftw-mpi", *against,
               "--repeat", str(options.repeat), "--json"]
    return {record["library"]: record for record in json.loads(told(command, **variables))["results"]}


def race(options):
    fftws = {"system": ""} | dict(text.split("=", 1) for text in options.fftw)
    for problem in options.problems:
        for ranks in options.ranks:
            programs = [name for name in options.program if applies(name, problem, ranks, options)]
            found = collections.defaultdict(list)
            for turn in range(options.rounds):
                for fftw in list(fftws)[::1 if turn % 2 == 0 else -1]:
                    records = one_round(problem, ranks, programs, fftws[fftw], options)
                    for library in records:
                        found[fftw, library].append(records | {"other": records[library]})
            for (fftw, library), rounds in found.items():
                if library != "weft":
                    yield from cases(problem, ranks, fftw, library, rounds)


def cases(problem, ranks, fftw, library, rounds):
    other = rounds[-1]["other"]
    for way in DIRECTIONS:
        ratios = [one["weft"][f"{way}_s"]["median"] / one["other"][f"{way}_s"]["median"] for one in rounds]
        case = {"problem": problem, "ranks": ranks, "direction": way, "library": library,
                "version": other["versions"].get(library, other["versions"]["fftw"]), "fftw": fftw,
                "fftw_version": other["versions"]["fftw"], "plan": other["plan"],
                "weft_plan": rounds[-1]["weft"]["plan"],
                "weft_s": statistics.median(one["weft"][f"{way}_s"]["median"] for one in rounds),
                "seconds": statistics.median(one["other"][f"{way}_s"]["median"] for one in rounds),
                "ratio": statistics.median(ratios), "ratio_quartiles": quartiles(ratios)}
        print(f"{problem:20} {ranks} {way:8} {library:12} {fftw:8} {case['ratio']:.3f}", flush=True)
        yield case


def sent(command, library):
    """Bytes that all ranks send in the last forward transform of a run."""
    with tempfile.TemporaryDirectory() as folder:
        told(command, WEFT_TRAFFIC=f"{folder}/bytes", LD_PRELOAD=os.path.abspath(library))
        with open(f"{folder}/bytes", encoding="utf-8") as file:
            return [bytes_sent for bytes_sent in json.load(file) if bytes_sent][-2]


def filled_in(command, problem, ranks):
    kind, precision, shape = problem.split(":")
    words = {"kind": kind, "precision": precision, "shape": shape, "ranks": str(ranks), "repeat": "1",
             **{f"n{i}": n for i, n in enumerate(shape.split("x"))}}
    return ["sh", "-c", re.sub(r"(?<!\$)\{(\w+)\}", lambda word: words[word[1]], command)]


def volume(options):
    for problem in options.problems:
        for ranks in options.ranks:
            launch = [*options.launch, str(ranks), options.weft]
            rows = json.loads(told([options.weft, "explain", problem, "--volume", "--ranks", str(ranks), "--json"]))
            default = next(row for row in rows["traffic"] if row["name"] == "default")
            theory = default["total_bytes"]
            text = f"{problem}; via=alltoallv; decomposition={default['decomposition']}"
            weft = [*launch, "bench", text, "--repeat", "1", "--unchecked"]
            libraries = {"weft": weft} | {text.split("=", 1)[0]: filled_in(text.split("=", 1)[1], problem, ranks)
                                          for text in options.program if applies(text, problem, ranks, options)}
            for name, command in libraries.items():
                bytes_sent = sent(command, options.traffic)
                print(f"{problem:20} {ranks:2} {name:12} {bytes_sent:12} {bytes_sent / theory:.4f}", flush=True)
                yield {"problem": problem, "ranks": ranks, "library": name, "bytes": bytes_sent,
                       "weft_theory_bytes": theory, "weft_decomposition": default["decomposition"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("study", choices=("race", "volume"))
    parser.add_argument("weft", help="the command weft")
    parser.add_argument("--program", action="append", default=[], metavar="NAME=COMMAND", help="may be given again")
    parser.add_argument("--fftw", action="append", default=[], metavar="NAME=FOLDER",
                        help="another FFTW by the folder of its libraries, for all that use FFTW; may be given again")
    parser.add_argument("--problems", type=lambda text: text.split(), default=PROBLEMS, help="texts, in quotes")
    parser.add_argument("--ranks", type=lambda text: [int(n) for n in text.split(",")], default=[2])
    parser.add_argument("--launch", type=str.split, default=["mpirun", "-n"])
    parser.add_argument("--rounds", type=int, default=3, help="runs of each (3)")
    parser.add_argument("--repeat", type=int, default=15, help="transforms in a run (15)")
    parser.add_argument("--traffic", help="the library of bench/traffic.c")
    parser.add_argument("--note", default="", help="what else the machine did, for the file")
    parser.add_argument("--json", help="write all cases into this file")
    options = parser.parse_args()
    found = list(race(options) if options.study == "race" else volume(options))
    if options.json:
        record = {**origin(options.weft), "note": options.note}
        if options.study == "race":
            record |= {"rounds": options.rounds, "repeat": options.repeat}
        with open(options.json, "w", encoding="utf-8") as file:
            json.dump({**record, "cases": found}, file, indent=1)
            file.write("\n")


if __name__ == "__main__":
    main()
