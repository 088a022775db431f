#!/usr/bin/env python3
"""What auto_study measured: each engine over the best of those that are named, and a picture.

usage: auto_study_plot.py RESULTS.json... [--plot STUDY.svg]        the picture needs matplotlib
"""

import argparse
import json
import re

from pyplot import pyplot

ASKED = 1.03


def name_of(record):
    return f"{record['problem']}, {record['ranks']} rank{'s' if record['ranks'] > 1 else ''}"


def ratios(record):
    """Of each engine, auto among them, to the best that is named."""
    medians = {engine: one["median"] for engine, one in record["seconds"].items()}
    best = min(seconds for engine, seconds in medians.items() if engine != "auto")
    return {engine: seconds / best for engine, seconds in medians.items()}


def choice_ratio(record):
    """Of the engine that auto chose, by name: without what two bindings of one plan differ by."""
    return ratios(record)[re.search(r"engine=(\w+)", record["chosen"]).group(1)]


def engines_in(records):
    return list(dict.fromkeys(engine for record in records for engine in record["seconds"]))


def table(records):
    engines = engines_in(records)
    print("| problem | " + " | ".join(engines) + " |")
    print("|---|" + "---|" * len(engines))
    for record in records:
        found = ratios(record)
        cells = [f"{found[engine]:.2f}" if engine in found else "-" for engine in engines]
        print(f"| {name_of(record)} | " + " | ".join(cells) + " |")
    worst = max(records, key=lambda record: ratios(record)["auto"])
    print(f"\nauto takes at most {ratios(worst)['auto']:.3f} times the best ({name_of(worst)}), "
          f"and the engine that it chose {max(map(choice_ratio, records)):.3f} times; asked {ASKED}")


def picture(records, path):
    plt = pyplot()
    engines = engines_in(records)
    figure, axes = plt.subplots(figsize=(11, 5), layout="constrained")
    width = 0.8 / len(engines)
    for i, engine in enumerate(engines):
        values = [ratios(record).get(engine, 0) for record in records]
        axes.bar([x + i * width for x in range(len(records))], values, width, label=engine)
    axes.axhline(ASKED, color="black", linewidth=0.8, linestyle="dashed")
    axes.set_yscale("log", base=2)
    axes.set_xticks([x + 0.4 for x in range(len(records))], [name_of(one) for one in records],
                    rotation=40, ha="right", rotation_mode="anchor", fontsize="small")
    axes.set_ylabel("time / the best engine by name")
    axes.legend(ncols=len(engines), fontsize="small")
    figure.savefig(path)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+")
    parser.add_argument("--plot", help="write a picture to this file")
    arguments = parser.parse_args()
    records = []
    for name in arguments.results:
        with open(name) as file:
            records += [json.loads(line) for line in file]
    table(records)
    if arguments.plot:
        picture(records, arguments.plot)


main()
