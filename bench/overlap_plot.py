#!/usr/bin/env python3
"""Tables and a picture of what bench/overlap_study wrote: overlap_plot.py FILE.. [--plot SVG]."""

import argparse
import json
import math

COLOURS = {"fftw-mpi": "black", "blocking": "grey", "NEW-0": "tab:blue", "NEW": "tab:green",
           "x-0": "tab:cyan", "x": "tab:red", "TH-0": "tab:olive", "TH": "tab:orange",
           "x-fused-native": "tab:purple"}


def read(files):
    """{(mpi, problem): {rate: {runner: line}}}"""
    studies = {}
    for name in files:
        with open(name, encoding="utf-8") as file:
            for text in file:
                line = json.loads(text)
                mpi = "MPICH" if "MPICH" in line["mpi"] else "Open MPI"
                by_rate = studies.setdefault((mpi, line["problem"]), {})
                by_rate.setdefault(line["rate"], {})[line["runner"]] = line
    return studies


def gigabits(rate):
    return float(rate.removesuffix("gbit")) if rate.endswith("gbit") else math.inf


def median(runners, name):
    return runners[name]["forward_s"]["median"] if name in runners else math.nan


def table(runners_by_rate):
    names = ["fftw-mpi", "NEW-0", "NEW", "x-0", "x", "TH-0", "TH", "blocking", "blocking-native",
             "x-fused-native", "alltoall"]
    print("| links | " + " | ".join(names) + " | NEW-0 / best | FFTW-MPI / best | exposed |")
    print("|---" * (len(names) + 4) + "|")
    for rate in sorted(runners_by_rate, key=gigabits):
        runners = runners_by_rate[rate]
        best_name = min(("NEW", "x"), key=lambda name: median(runners, name))
        best = median(runners, best_name)
        base = median(runners, "NEW-0")
        computation = runners[best_name]["computation_s"]
        exposed = (best - computation) / (base - computation)
        cells = [f"{1e3 * median(runners, name):.0f}" for name in names]
        print(f"| {rate} | " + " | ".join(cells) +
              f" | {base / best:.2f} | {median(runners, 'fftw-mpi') / best:.2f} | {exposed:.2f} |")


def plot(studies, file):
    import matplotlib
    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, panels = pyplot.subplots(1, len(studies), figsize=(6 * len(studies), 4.5),
                                     squeeze=False, sharey=True)
    for panel, ((mpi, problem), by_rate) in zip(panels[0], sorted(studies.items())):
        rates = [rate for rate in sorted(by_rate, key=gigabits) if rate != "none"]
        for name, colour in COLOURS.items():
            times = [1e3 * median(by_rate[rate], name) for rate in rates]
            if all(math.isnan(time) for time in times):
                continue
            panel.plot([gigabits(rate) for rate in rates], times, "o-", label=name, color=colour)
        panel.set_xscale("log")
        panel.set_xticks([gigabits(rate) for rate in rates], rates)
        panel.set_title(f"{problem}, 2 hosts, {mpi}")
        panel.set_xlabel("links")
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("ms, forward")
    panels[0][-1].legend()
    figure.tight_layout()
    figure.savefig(file)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("files", nargs="+")
    parser.add_argument("--plot", help="write this picture")
    arguments = parser.parse_args()
    studies = read(arguments.files)
    for (mpi, problem), by_rate in sorted(studies.items()):
        print(f"\n{problem}, {mpi}, milliseconds\n")
        table(by_rate)
    if arguments.plot:
        plot(studies, arguments.plot)


if __name__ == "__main__":
    main()
