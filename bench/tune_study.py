#!/usr/bin/env python3
"""How good is tuning? Runs bench/tune_study on the node and on virtual clusters, prints tables and draws pictures.

usage: bench/tune_study.py synthetic --json FILE           machines that the tuner does not know
       sudo bench/tune_study.py points --json FILE         tuned points among random ones ([song] Fig. 5)
       sudo bench/tune_study.py problems --json FILE       tuned against default, cost beside FFTW_PATIENT ([song] Table 4)
       sudo bench/tune_study.py cross --json FILE          tuned on one machine, used on another ([song] Fig. 9)
       bench/tune_study.py table FILE..                    of any of these

--programs is the folder of tune_study and tune_synthetic (build/bin); cross takes one for each MPI, as in
--programs build/bin --programs-of mpich=build-mpich/bin. bench/README.md says what is measured.
"""

import argparse
import json
import math
import os
import re
import statistics
import subprocess
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

CLUSTER = Path(__file__).parent / "cluster" / "cluster"
LAUNCHERS = {"openmpi": "mpiexec.openmpi", "mpich": "mpiexec.mpich"}
ON_NODE = ["c2c:f64:64x64x64", "r2c:f64:64x64x64", "c2c:f32:128x128x128", "r2c:f32:100x90x80",
           "c2c:f64:128x128x128", "c2c:f64:48x48x48*4", "r2c:f64:256x256", "c2c:f64:97x64x90"]
ON_LARGE_CLUSTER = ["c2c:f64:256x256x256", "r2c:f64:384x384x384"]
ON_CLUSTER = ["c2c:f64:32x32x32", "c2c:f64:64x64x64", "r2c:f64:64x64x64", "c2c:f32:64x60x48",
              "r2c:f32:96x96x96", "c2c:f64:32x32x32*4", "c2c:f64:256x128"]


def words(text):
    return text.split(",")


def run(*command, timeout=3000, env=None):
    """What it prints; ends the study where it fails."""
    done = subprocess.run([str(word) for word in command], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                          check=False, timeout=timeout, env=env)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}\n{done.stdout}{done.stderr}")
    return done.stdout


class Place:
    """Where programs run: `node/2` are 2 ranks on this machine, `1gbit/2` 2 virtual hosts with such links."""

    def __init__(self, name, mpi, programs):
        self.link, ranks = name.rsplit("/", 1)
        self.name, self.ranks, self.mpi, self.programs = name, int(ranks), mpi, Path(programs).absolute()

    def __enter__(self):
        if self.link != "node":
            rate, _, latency = self.link.partition("+")
            run(*([CLUSTER, "vup", self.ranks, rate, latency] if latency else [CLUSTER, "up", self.ranks, rate]))
        return self

    def __exit__(self, *_):
        if self.link != "node":
            run(CLUSTER, "down")

    def launch(self, program, *arguments):
        launcher = [LAUNCHERS[self.mpi]] if self.link == "node" else [CLUSTER, "run", self.mpi]
        run(*launcher, "-n", self.ranks, self.programs / program, *arguments)

    def calibrate(self, machine):
        """Writes the description of the place to that file."""
        self.launch("weft", "calibrate", "--seconds", 10, "--output", machine)

    def study(self, verb, *arguments):
        """The JSON lines of one run of tune_study."""
        with tempfile.NamedTemporaryFile(mode="r", suffix=".json") as results:
            self.launch("tune_study", verb, "--network", self.link, "--json", results.name, *arguments)
            return [json.loads(line) for line in results]


def write(results, lines):
    for line in lines:
        results.write(json.dumps(line) + "\n")
    results.flush()


def synthetic(options):
    print(run(Path(options.programs) / "tune_synthetic", "--json", options.json, "--first", options.first, "--seeds",
              options.seeds or "100", timeout=None), end="")


def points(options):
    with open(options.json, "w", encoding="utf-8") as results:
        for place in options.places or ["300mbit/2", "1gbit/2"]:
            with Place(place, options.mpi, options.programs) as here:
                lines = here.study("points", "--problems", ",".join(options.problems or ["c2c:f64:128x128x128"]),
                                   "--seeds", options.seeds or "20", "--rounds", options.rounds, "--again", options.again)
                write(results, lines)
                print(table_of_points(lines), flush=True)


def problems(options):
    with open(options.json, "w", encoding="utf-8") as results:
        places = {"node/1": ON_NODE, "node/2": ON_NODE, "1gbit/2": ON_CLUSTER, "1gbit/4": ON_CLUSTER,
                  "1gbit/8": ON_LARGE_CLUSTER, "1gbit/16": ON_LARGE_CLUSTER[:1]}
        for name in options.places or places:
            with Place(name, options.mpi, options.programs) as place, tempfile.TemporaryDirectory() as folder:
                machine = Path(folder) / "here.json"
                place.calibrate(machine)
                for problem in options.problems or places.get(name, ON_NODE if place.link == "node" else ON_CLUSTER):
                    lines = place.study("problems", "--problems", problem, "--repeat", options.repeat,
                                        "--machine", machine)
                    write(results, lines)
                    print(table_of_problems(lines), flush=True)


def cross(options):
    """Tunes in each place, then runs all tuned plans, and the default, in each."""
    programs = {"openmpi": options.programs} | dict(item.split("=") for item in options.programs_of)
    places = [(mpi, name) for mpi in programs for name in options.places or ["100mbit/2", "300mbit/2", "1gbit/2", "3gbit/2"]]
    problem = (options.problems or ["c2c:f64:128x128x128"])[0]
    with open(options.json, "w", encoding="utf-8") as results:
        tuned = {}
        for mpi, name in places:
            with Place(name, mpi, programs[mpi]) as place:
                tuned[mpi, name] = place.study("problems", "--problems", problem, "--repeat", "3")[0]["tuned"]
        for mpi, name in places:
            with Place(name, mpi, programs[mpi]) as place:
                arguments = [word for choice in tuned.values() for word in ("--choice", choice)]
                for line in place.study("cross", "--problems", problem, "--repeat", options.repeat, *arguments):
                    line |= {"here": f"{mpi} {name}", "tuned_on": [f"{m} {n}" for m, n in tuned]}
                    write(results, [line])
        print(table(read([options.json])))


def read(files):
    return [json.loads(text) for name in files for text in Path(name).read_text(encoding="utf-8").splitlines()]


def table_of_synthetic(lines):
    text = ""
    for line in lines:
        if line["search"] == "tuner":
            text += (f"{line['problem']}; ranks={line['ranks']}, {line['ranks_per_node']} on a node; "
                     f"{line['constraint'] or 'all open'}: {line['plans']} plans\n")
        near = [after for after in line["near_after"] if after > 0]
        text += (f"  {line['search']:11} within 5% on {line['within_5_percent']:3} of {len(line['over_best'])}, median "
                 f"{statistics.median(line['over_best']):.3f}, worst {max(line['over_best']):.2f} of the best, "
                 f"near after {statistics.median(near) if near else math.nan:.0f} runs\n")
    return text


def table_of_points(lines):
    text = ""
    for line in lines:
        if line["what"] == "random points":
            seconds = sorted(point[1] for point in line["points"])
            text += (f"{line['problem']}, {line['network']}: {len(seconds)} random points {1e3 * seconds[0]:.1f} to "
                     f"{1e3 * seconds[-1]:.1f} ms, {seconds[-1] / seconds[0]:.2f} times, median "
                     f"{1e3 * statistics.median(seconds):.1f}\n")
    groups = defaultdict(list)
    for line in lines:
        if line["what"] == "search":
            groups[line["problem"], line["network"], line["search"]].append(line)
    for (problem, network, search), some in groups.items():
        first = [line["best_percentile_after"] for line in some if line["best_percentile_after"]]
        five = [line["best_5_percent_after"] for line in some if line["best_5_percent_after"]]
        text += (f"  {problem}, {network}, {search:8} percentile {100 * statistics.median(l['percentile'] for l in some):.1f} "
                 f"in the median of {len(some)}; best percentile reached by {len(first)}"
                 f"{f', after {statistics.median(first):.0f} runs' if first else ''}; best 5% by {len(five)}"
                 f"{f', after {statistics.median(five):.0f}' if five else ''}\n")
    return text


def numbers_of_tiles(choice):
    found = re.search(r"tile=\(([^)]*)\)", choice)
    return found.group(1) if found else "no tiles"


def ratios(line):
    seconds = {name: value["median"] for name, value in line["seconds"].items()}
    fixed = [value for name, value in seconds.items() if name.startswith("via=")]
    return [seconds["tuned"] / other for other in (seconds["default"], min(fixed), seconds["calibrated"], seconds["start"])]


def part_of_tuning(line, runs=100):
    """Of tuning and so many transforms there and back ([duy] section 3.2.3)."""
    return line["tuning_s"] / (line["tuning_s"] + runs * line["seconds"]["tuned"]["median"])


def table_of_problems(lines):
    text = ""
    for line in lines:
        to_default, to_fixed, to_calibrated, to_start = ratios(line)
        planning = line["fftw_patient_s"]
        beside = f"{planning:7.2f} s" if isinstance(planning, float) else "      - s"
        text += (f"{line['problem']:22} {line['network']:>8}/{line['ranks']} tuned/default {to_default:.3f}, /calibrated "
                 f"{to_calibrated:.3f}, /start {to_start:.3f}, /best method {to_fixed:.3f}; tuning {line['tuning_s']:7.2f} s, {line['evaluations']} runs, FFTW_PATIENT {beside}; "
                 f"{re.sub('tile=.*?; ', '', line['tuned'])}; {numbers_of_tiles(line['tuned'])}\n")
    if len(lines) > 1:
        default, fixed, calibrated, start = zip(*map(ratios, lines))
        planned = [line for line in lines if isinstance(line["fftw_patient_s"], float)]
        text += (f"tuned over default: geometric mean {statistics.geometric_mean(default):.3f}, worst {max(default):.3f}\n"
                 f"tuned over the best method: at most 1.05 on {sum(r <= 1.05 for r in fixed)} of {len(fixed)}\n"
                 f"estimate within 15% of tuned on {sum(r >= 1 / 1.15 for r in default)} of {len(default)}; with the machine "
                 f"as calibrated on {sum(r >= 1 / 1.15 for r in calibrated)}\n"
                 f"tuning no longer than FFTW_PATIENT on {sum(l['tuning_s'] <= l['fftw_patient_s'] for l in planned)} "
                 f"of {len(planned)} that FFTW-MPI plans\n")
        parts = [part_of_tuning(line) for line in lines if line["ranks"] > 1]
        if parts:
            text += (f"of tuning and 100 transforms there and back, tuning takes {100 * statistics.median(parts):.1f}% in the "
                     f"median, at most 12% on {sum(part <= 0.12 for part in parts)} of {len(parts)} on several ranks; tuned "
                     f"over the estimate that it starts from at most {max(start):.3f}, over tuning=estimate {max(calibrated):.3f}\n")
    return text


def cross_ratios(line):
    """Over the plan that was tuned here; None where a plan cannot run."""
    own = line["seconds"][line["tuned_on"].index(line["here"])]["median"]
    return [value and value["median"] / own for value in line["seconds"]]


def table_of_cross(lines):
    text = f"{lines[0]['problem']}: times over those of the plan tuned there\n{'run on':>18}, tuned on " + \
        "  ".join(lines[0]["tuned_on"]) + "\n"
    for line in lines:
        text += f"{line['here']:>18} " + " ".join("    -" if r is None else f"{r:5.2f}" for r in cross_ratios(line)) + "\n"
    return text


def table(lines):
    kinds = defaultdict(list)
    for line in lines:
        kinds[line["study"]].append(line)
    tables = {"tune_synthetic": table_of_synthetic, "tune points": table_of_points, "tune problems": table_of_problems,
              "tune cross": table_of_cross}
    return "".join(tables[kind](some) for kind, some in kinds.items() if kind in tables)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verb", choices=["synthetic", "points", "problems", "cross", "table"])
    parser.add_argument("files", nargs="*")
    parser.add_argument("--json")
    parser.add_argument("--programs", default="build/bin")
    parser.add_argument("--programs-of", action="append", default=[], metavar="MPI=FOLDER")
    parser.add_argument("--mpi", default="openmpi", choices=sorted(LAUNCHERS))
    parser.add_argument("--places", type=words, metavar="LINK/RANKS,..")
    parser.add_argument("--problems", type=words)
    parser.add_argument("--first", default="2000")
    parser.add_argument("--seeds")
    parser.add_argument("--rounds", default="3")
    parser.add_argument("--again", default="7")
    parser.add_argument("--repeat", default="15")
    options = parser.parse_args()
    if options.verb == "table":
        print(table(read(options.files)), end="")
    elif not options.json or options.files:
        parser.error(f"{options.verb}: give --json FILE, and no other files")
    else:
        os.environ["WEFT_WISDOM"] = ""
        {"synthetic": synthetic, "points": points, "problems": problems, "cross": cross}[options.verb](options)


if __name__ == "__main__":
    main()
