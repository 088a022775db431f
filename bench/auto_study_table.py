#!/usr/bin/env python3
"""Table of what auto_study measured: each engine over the best of those that are named. bench/plots draws it.

usage: auto_study_table.py RESULTS.json...
"""

import argparse
import json
import re

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


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+")
    arguments = parser.parse_args()
    records = []
    for name in arguments.results:
        with open(name) as file:
            records += [json.loads(line) for line in file]
    table(records)


if __name__ == "__main__":
    main()
