#!/usr/bin/env python3
"""What the model says of transforms on GPUs, beside what [ayala] and [gholami] print of theirs.

usage: bench/device_study.py --json FILE [--weft build/bin/weft] [--device fake]
       bench/device_study.py --table FILE

[gholami] Table 1 has numbers. Of [ayala] Figs. 8 to 11 and 13 and [gholami] Fig. 5 there are the numbers that the texts
mention; what only the plots show is not compared. Each line of the JSON is a prediction, or a number that is printed
with the prediction beside it, or a bound that is printed, which the prediction keeps to or not. --device names the device of the plans, by whatever name weft has it; the rates are
those of the machine's description.
"""

import argparse
import json
import math
import statistics
import subprocess
from pathlib import Path

import papers
from origin import origin

# [gholami] Table 1: r2c of 1024^3 on Titan; [ayala] Table III
TITAN = {where: list(papers.records(papers.table("gholami", f"Table 1, {where}"))) for where in ("CPU", "GPU")}
SUMMIT_GRIDS = {row["ranks"]: row["grid"] for row in papers.records(papers.table("ayala", "Table III"))}
VIAS = {"all-to-all": "alltoallv", "point-to-point": "isend-waitall"}


class Model:
    """Asks weft."""

    def __init__(self, weft, device):
        self.weft, self.device = weft, device

    def predicted(self, problem, ranks, machine, *options, space=None):
        command = [self.weft, "predict", problem, "--machine", machine, "--ranks", str(ranks), "--json", *options]
        if space is not None:
            travel = f"({space})" if space else ""
            command += ["--space", self.device + travel, "--device-arrays"]
        answer = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        row = min(answer["predictions"], key=lambda each: each["seconds"])
        return {"machine": machine, "problem": problem, "ranks": ranks, "decomposition": row["decomposition"],
                "space": row["space"].replace(self.device, "device"), "seconds": row["seconds"],
                "comm": row["exchange"] + row["hop"], "work": row["work"]}


def titan_lines(model):
    for where, rows in TITAN.items():
        for one in rows:
            nodes = one["nodes"]
            options = ["--via", "alltoallv", "--pack", "sender", "--decomposition", f"pencil({one['grid']})"]
            if where == "CPU":
                row = model.predicted("r2c:f64:1024x1024x1024", nodes, "titan", "--engine", "fftw", *options)
            else:
                row = model.predicted("r2c:f64:1024x1024x1024", nodes, "titan", *options, space="")
            for what, printed, value in (("total", one["total_s"], row["seconds"]),
                                         ("comm", one["exchange_s"], row["comm"]),
                                         ("FFT and (un)pack", one["fft_s"] + one["copy_s"], row["work"])):
                yield {"figure": "[gholami] Table 1", "where": where, "ranks": nodes, "what": what,
                       "printed": printed, "predicted": value, "space": row["space"]}


def maverick_lines(model):
    """Fig. 5: what the text says is that the GPU code is as fast as the CPU code."""
    for kind, name in (("r2c", "a"), ("c2c", "c")):
        for ranks in (8, 16, 32, 64, 128):
            problem = f"{kind}:f64:256x512x1024"
            options = ["--via", "alltoallv", "--pack", "sender", "--decomposition", "pencil"]
            host = model.predicted(problem, ranks, "maverick", "--engine", "fftw", *options)
            gpu = model.predicted(problem, ranks, "maverick", *options, space="")
            yield {"figure": f"[gholami] Fig. 5 ({name})", "series": "CPU", **host}
            yield {"figure": f"[gholami] Fig. 5 ({name})", "series": "GPU", **gpu}
            if kind == "r2c":
                yield {"figure": "[gholami] Fig. 5 (a)", "where": "GPU over CPU", "ranks": ranks, "what": "total",
                       "printed": 1, "predicted": gpu["seconds"] / host["seconds"], "space": gpu["space"]}


def summit_lines(model):
    """Figs. 8, 9 and 11: 512^3 from bricks to bricks by pencils, with MPI that reaches devices and without."""
    problem = "c2c:f64:512x512x512 in=brick out=brick"
    for ranks, grid in SUMMIT_GRIDS.items():
        for name, via in VIAS.items():
            rows = {}
            for aware, space in (("GPU-aware", "direct"), ("not GPU-aware", "staged"), ("the model's choice", "")):
                rows[aware] = model.predicted(problem, ranks, "summit-v100", "--via", via, "--pack", "sender",
                                              "--decomposition", f"pencil({grid})", space=space)
                figure = "[ayala] Fig. 8" if via == "alltoallv" else "[ayala] Fig. 9"
                yield {"figure": figure, "series": aware, **rows[aware]}
            aware, other = rows["GPU-aware"], rows["not GPU-aware"]
            if ranks == 24:
                yield {"figure": "[ayala] Figs. 6, 7", "where": name, "ranks": ranks, "what": "total",
                       "printed": 0.09, "predicted": aware["seconds"], "space": aware["space"]}
                yield {"figure": "[ayala] Fig. 2", "where": name, "ranks": ranks, "what": "part of communication",
                       "at_least": 0.9, "predicted": aware["comm"] / aware["seconds"], "space": aware["space"]}
            if ranks == 96 and via == "alltoallv":
                yield {"figure": "[ayala] Fig. 11", "where": "not GPU-aware over GPU-aware", "ranks": ranks,
                       "what": "comm", "printed": 1.3, "predicted": other["comm"] / aware["comm"],
                       "space": aware["space"]}


def crossing_lines(model):
    """Section IV-A: slabs are faster than pencils below 64 nodes."""
    last = 0
    for ranks, grid in SUMMIT_GRIDS.items():
        if ranks > 512:
            break
        both = {}
        for name in ("slab", f"pencil({grid})"):
            both[name] = model.predicted("c2c:f64:512x512x512", ranks, "summit-v100", "--via", "alltoallv", "--pack",
                                         "sender", "--decomposition", name, space="direct")
            yield {"figure": "[ayala] Fig. 5", "series": name.split("(")[0], **both[name]}
        slab, pencil = both.values()
        if slab["seconds"] < pencil["seconds"]:
            last = ranks
    yield {"figure": "[ayala] section IV-A", "where": "slabs are the fastest up to", "ranks": last, "what": "GPUs",
           "at_least": 192, "predicted": last, "space": "device(direct)"}


def batch_lines(model):
    """Fig. 13: 64^3, alone and in a batch."""
    for ranks in (6, 12, 24, 48, 96):
        options = ["--via", "alltoallv", "--pack", "sender", "--decomposition", f"pencil({SUMMIT_GRIDS[ranks]})"]
        alone = model.predicted("c2c:f64:64x64x64", ranks, "summit-v100", *options, space="direct")
        batch = model.predicted("c2c:f64:64x64x64*64", ranks, "summit-v100", *options, space="direct")
        yield {"figure": "[ayala] Fig. 13", "series": "alone", **alone}
        yield {"figure": "[ayala] Fig. 13", "series": "in a batch of 64", **batch, "seconds": batch["seconds"] / 64}
        yield {"figure": "[ayala] Fig. 13", "where": "alone over in a batch", "ranks": ranks, "what": "total of one",
               "at_least": 2, "predicted": alone["seconds"] / (batch["seconds"] / 64), "space": alone["space"]}


def h100_lines(model):
    """No paper: what the description of an H100 node by its specification gives."""
    for ranks in (1, 2, 4, 8, 16, 32, 64):
        row = model.predicted("c2c:f64:512x512x512", ranks, "h100", "--via", "alltoallv", space="")
        yield {"figure": "H100", "series": "512^3", **row}


def lines_of(path):
    lines = [json.loads(line) for line in Path(path).read_text().splitlines()]
    return [line for line in lines if "figure" in line]


def compared(lines):
    return [line for line in lines if "printed" in line]


def bounded(lines):
    return [line for line in lines if "at_least" in line]


def ratios(lines):
    return [line["predicted"] / line["printed"] for line in lines]


def table(lines):
    print("| figure | of | GPUs, nodes | what | printed | predicted | ratio |\n|---|---|---|---|---|---|---|")
    for line in compared(lines):
        print(f"| {line['figure']} | {line['where']} | {line['ranks']} | {line['what']} | {line['printed']:.4g} | "
              f"{line['predicted']:.3g} | {line['predicted'] / line['printed']:.2f} |")
    print("\n| figure | of | GPUs, nodes | what | printed: at least | predicted | holds |\n|---|---|---|---|---|---|---|")
    for line in bounded(lines):
        print(f"| {line['figure']} | {line['where']} | {line['ranks']} | {line['what']} | {line['at_least']:.4g} | "
              f"{line['predicted']:.3g} | {'yes' if line['predicted'] >= line['at_least'] else 'no'} |")
    print("\n| figure | numbers | median ratio | from | to |\n|---|---|---|---|---|")
    groups = {}
    for line in compared(lines):
        groups.setdefault((line["figure"], line["where"], line["what"]), []).append(line)
    for (figure, where, what), some in groups.items():
        values = ratios(some)
        print(f"| {figure}, {where}, {what} | {len(values)} | {statistics.median(values):.2f} | {min(values):.2f} | "
              f"{max(values):.2f} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", metavar="FILE")
    parser.add_argument("--table", metavar="FILE")
    parser.add_argument("--weft", default="build/bin/weft")
    parser.add_argument("--device", default="fake")
    options = parser.parse_args()
    if options.json:
        model = Model(options.weft, options.device)
        parts = (titan_lines, maverick_lines, summit_lines, crossing_lines, batch_lines, h100_lines)
        lines = [line for part in parts for line in part(model)]
        Path(options.json).write_text("".join(json.dumps(line) + "\n" for line in [{"origin": origin(options.weft)}, *lines]))
        off = [abs(math.log(ratio)) for ratio in ratios(compared(lines))]
        print(f"{len(lines)} lines, {len(off)} printed numbers, half within a factor of {math.exp(statistics.median(off)):.2f}")
    elif options.table:
        table(lines_of(options.table))
    else:
        parser.error("give --json or --table; python3 bench/plots draws")


if __name__ == "__main__":
    main()
