#!/usr/bin/env python3
"""Pictures of what `weft exchange --json` wrote; needs matplotlib.

usage: exchange_plot.py EXCHANGE.json... [--heat HEAT.png] [--kway KWAY.png]

The heat map has a row for each method and a column for each size of messages, ranks side by side;
colours are ratios to MPI_Alltoall: red is slower, blue is faster ([schulz] section 5). The other
picture is the time of kway(k) by k ([gholami] Fig. 3).
"""

import argparse
import json
import math
import re
import sys

REFERENCE = "MPI_Alltoall"
KWAY = "4"  # the k of kway, where its name does not say
DEEPEST = 4  # ratios beyond this or below its inverse have the same colour


def load(names):
    records = []
    for name in names:
        with open(name, encoding="utf-8") as file:
            records += [json.loads(line) for line in file if line.strip()]
    return records


def distinct(records, key):
    """Its values, the first seen first."""
    return list(dict.fromkeys(one[key] for one in records))


def short_bytes(count):
    return f"{count >> 10}k" if count >= 1024 and count % 1024 == 0 else str(count)


def new_figure(**options):
    import matplotlib

    matplotlib.use("agg")
    from matplotlib import pyplot

    return pyplot.subplots(**options)


def colour_map(count):
    from matplotlib import colormaps

    return colormaps["viridis"].resampled(count + 1)  # the last colour is too pale for a line


def where(records):
    one = records[0]
    crowded = ", more ranks than cores" if any(one.get("crowded") for one in records) else ""
    return f"{one['mpi']}, {one['processor']}, {one['nodes']} x {one['cores']} cores{crowded}"


def save(figure, name):
    figure.savefig(name, dpi=85, bbox_inches="tight", metadata={"Software": None})


def ratio_text(ratio):
    return f"{ratio:.2f}" if ratio < 10 else f"{ratio:.0f}"


def draw_cells(panel, records, columns, ratio_key):
    methods = [name for name in distinct(records, "method") if name != REFERENCE]
    ratios = {(one["method"], one["ranks"], one["bytes"]): one[ratio_key] for one in records}
    deepest = math.log2(DEEPEST)
    cells = []
    for row, method in enumerate(methods):
        logs = []
        for column, (ranks, size) in enumerate(columns):
            ratio = ratios.get((method, ranks, size))
            logs.append(math.nan if ratio is None else math.log2(ratio))
            if ratio is not None:
                dark = abs(logs[-1]) > 0.7 * deepest
                panel.text(column, row, ratio_text(ratio), ha="center", va="center", fontsize=6,
                           color="white" if dark else "black")
        cells.append(logs)
    image = panel.imshow(cells, cmap="RdBu_r", vmin=-deepest, vmax=deepest, aspect="auto")
    panel.set_yticks(range(len(methods)), methods)
    panel.set_xticks(range(len(columns)), [short_bytes(size) for _, size in columns], rotation=90)
    return image


def heat_map(records, name):
    ranks, sizes = sorted(distinct(records, "ranks")), sorted(distinct(records, "bytes"))
    columns = [(p, m) for p in ranks for m in sizes]
    rows = len(distinct(records, "method"))
    size = (2 + 0.32 * len(columns), 2.4 + 0.5 * rows)
    figure, panels = new_figure(nrows=2, sharex=True, figsize=size, layout="constrained")
    for panel, key, title in (
        (panels[0], "ratio", "a barrier before each call"),
        (panels[1], "ratio_without_barrier", "no barrier"),
    ):
        image = draw_cells(panel, records, columns, key)
        for i in range(1, len(ranks)):
            panel.axvline(i * len(sizes) - 0.5, color="black", linewidth=1.5)
        panel.set_title(title, fontsize="medium")
    groups = panels[0].secondary_xaxis("top")
    middles = [(i + 0.5) * len(sizes) - 0.5 for i in range(len(ranks))]
    groups.set_xticks(middles, [f"{p} ranks" for p in ranks])
    groups.tick_params(length=0)
    panels[0].title.set_position((0.5, 1.1))
    panels[1].set_xlabel("bytes from each rank to each other")
    bar = figure.colorbar(image, ax=panels, extend="both")
    ticks = [2**i for i in range(-int(math.log2(DEEPEST)), int(math.log2(DEEPEST)) + 1)]
    bar.set_ticks([math.log2(tick) for tick in ticks], labels=[f"{tick:g}" for tick in ticks])
    bar.set_label(f"median over that of {REFERENCE}")
    figure.suptitle(where(records), fontsize="medium")
    save(figure, name)


def kway_picture(records, name):
    """A panel for each number of ranks, a curve for each size of messages."""
    by_k = {}
    for one in records:
        match = re.fullmatch(r"kway(?:\((\d+)\))?", one["method"])
        if match:
            curve = by_k.setdefault(one["ranks"], {}).setdefault(one["bytes"], {})
            curve[int(match[1] or KWAY)] = 1e6 * one["with_barrier_s"]["median"]
    if not by_k:
        sys.exit("there is no kway(k) in these results; run weft exchange --k 2,3,4,8")
    figure, panels = new_figure(ncols=len(by_k), squeeze=False, figsize=(1 + 4.5 * len(by_k), 4.5),
                                layout="constrained")
    for panel, (ranks, curves) in zip(panels[0], sorted(by_k.items())):
        colours = colour_map(len(curves))
        for i, (size, curve) in enumerate(sorted(curves.items())):
            panel.plot(*zip(*sorted(curve.items())), "o-", color=colours(i), markersize=4,
                       label=f"{short_bytes(size)} bytes")
        panel.set_title(f"kway(k) on {ranks} ranks")
        panel.set_xlabel("k")
        panel.set_xticks(sorted({k for curve in curves.values() for k in curve}))
        panel.set_yscale("log")
        panel.grid(alpha=0.3)
    panels[0][0].set_ylabel("microseconds of the slowest rank")
    panels[0][-1].legend(fontsize="x-small", bbox_to_anchor=(1, 1), loc="upper left")
    figure.suptitle(where(records), fontsize="medium")
    save(figure, name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("results", nargs="+", help="what weft exchange --json wrote, of one machine")
    parser.add_argument("--heat", metavar="PNG", help="ratios to MPI_Alltoall")
    parser.add_argument("--kway", metavar="PNG", help="times by k")
    options = parser.parse_args()
    if not options.heat and not options.kway:
        parser.error("name a picture: --heat or --kway")
    records = load(options.results)
    if not records:
        sys.exit("there is nothing in these results")
    if options.heat:
        heat_map(records, options.heat)
    if options.kway:
        kway_picture(records, options.kway)


if __name__ == "__main__":
    sys.exit(main())
