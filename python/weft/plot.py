"""Pictures of predictions, simulations and volumes of traffic against the number of ranks; needs matplotlib (the extra `plot`).

    weft predict 512x512x512 --machine summit --json > predicted.json
    weft explain 256x256x256 --volume --json > volume.json
    weft simulate 256x256x256 --ranks 64..4096 --json > simulated.json
    python3 -m weft.plot predicted.json volume.json simulated.json

Each FILE.json, or FILE.csv of `--csv`, becomes FILE.svg. This file needs nothing else of weft: it can be run by its
path, without the package.
"""

import argparse
import csv
import json
import sys
from pathlib import Path
from typing import Any

_COLOURS = {"slab": "#0072b2", "pencil": "#d55e00", "brick": "#009e73", "default": "#1a1a1a",
            "least volume": "#8d5ba6", "pencil 1xP": "#e6a817", "pencil square": "#d55e00", "row-wise": "#8c8c8c"}
_SPARE = ("#56b4e9", "#d97fb0", "#7f5539", "#c1272d")
_MARKERS = "osD^v*"


def _rows(path: Path) -> tuple[str, list[dict[str, Any]]]:
    """The title and the rows of a file of `weft predict` or `weft explain --volume`."""
    if path.suffix == ".csv":
        with open(path, encoding="utf-8", newline="") as file:
            return path.stem, list(csv.DictReader(file))
    whole = json.loads(path.read_text(encoding="utf-8"))
    names = ("predictions", "traffic", "simulations")
    name = next((each for each in names if whole.get(each)), None) if isinstance(whole, dict) else None
    if name is None:
        raise ValueError(f"{path} has neither `predictions`, `simulations` nor `traffic`: give what `weft predict "
                         "--json`, `weft simulate --json` or `weft explain --volume --json` printed")
    machine = whole.get("machine", {}).get("name")
    verb = "simulated" if name == "simulations" else "predicted"
    return whole["problem"] + (f", {verb} on {machine}" if machine else ""), whole[name]


def _bars(axes: Any, rows: list[dict[str, Any]]) -> None:
    """For each number of ranks a bar of what a rank does on average, and what the model predicts."""
    places = range(len(rows))
    below = [0.0] * len(rows)
    for name, colour in (("work", "#0072b2"), ("hop", "#009e73"), ("exchange", "#d55e00")):
        heights = [1e3 * sum(stage[name] for stage in row["stages"]) for row in rows]
        if any(heights):
            axes.bar(places, heights, bottom=below, color=colour, width=0.6, label=name)
        below = [low + height for low, height in zip(below, heights)]
    rest = [max(0.0, 1e3 * row["simulated_s"] - low) for row, low in zip(rows, below)]
    axes.bar(places, rest, bottom=below, color="#d0d0d0", width=0.6, label="waits for the last rank")
    axes.plot(places, [1e3 * row["predicted_s"] for row in rows], "k_", markersize=22, label="predicted")
    axes.set_xticks(places, [str(row["ranks"]) for row in rows])


def picture(path: str | Path, title: str | None = None) -> Any:
    """The matplotlib figure of a file: a line for each decomposition, both axes logarithmic; of a simulation bars."""
    from matplotlib import ticker
    from matplotlib.figure import Figure

    own_title, rows = _rows(Path(path))
    if "simulated_s" in rows[0]:
        figure = Figure(figsize=(8, 4.5), layout="constrained")
        axes = figure.subplots()
        _bars(axes, rows)
        axes.set(title=title or own_title, xlabel="ranks", ylabel="time, ms")
        axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
        return figure
    key, unit = ("seconds", 1e3) if "seconds" in rows[0] else ("total_bytes", 1e-6)
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.subplots()
    for number, name in enumerate(dict.fromkeys(row["name"] for row in rows)):
        points = [(int(row["ranks"]), unit * float(row[key])) for row in rows
                  if row["name"] == name and float(row[key]) > 0]
        axes.plot(*zip(*points), color=_COLOURS.get(name, _SPARE[number % len(_SPARE)]), label=name, linewidth=1.4,
                  marker=_MARKERS[number % len(_MARKERS)], markersize=10 - 1.2 * number, fillstyle="none")
    counts = sorted({int(row["ranks"]) for row in rows})
    axes.set_xscale("log", base=2)
    axes.set_yscale("log")
    axes.xaxis.set_major_locator(ticker.FixedLocator(counts[::-(-len(counts) // 10)]))
    axes.xaxis.set_minor_locator(ticker.NullLocator())
    axes.xaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(ticker.LogLocator(subs=(1, 2, 3, 5, 7) if high / low < 20 else (1, 2, 5)))
    axes.yaxis.set_minor_locator(ticker.NullLocator())
    axes.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.grid(alpha=0.3)
    axes.set(title=title or own_title, xlabel="ranks",
             ylabel="time, ms" if key == "seconds" else "sent by all ranks together, one direction, MB")
    axes.legend(loc="upper left", bbox_to_anchor=(1, 1), frameon=False)
    return figure


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python3 -m weft.plot", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE")
    parser.add_argument("--output", type=Path, help="the picture of one FILE: .svg, .png or .pdf")
    parser.add_argument("--title", help="above the picture")
    options = parser.parse_args(words)
    if options.output and len(options.files) != 1:
        parser.error("--output: give one FILE")
    try:
        for path in options.files:
            picture(path, options.title).savefig(options.output or path.with_suffix(".svg"))
    except ImportError:
        print("python3 -m weft.plot: matplotlib is not installed; pip install matplotlib", file=sys.stderr)
        return 1
    except (OSError, ValueError, KeyError) as problem:
        print(f"python3 -m weft.plot: {problem}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
