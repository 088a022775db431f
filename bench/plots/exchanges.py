"""Pictures of what `weft exchange --json` wrote: heat maps, and kway(k) by k."""
import math
import re

from matplotlib import colormaps

from style import panels, read, ticks

REFERENCE = "MPI_Alltoall"
KWAY = "4"  # the k of kway, where its name does not say
DEEPEST = 4  # ratios beyond this or below its inverse have the same colour


def distinct(records, key):
    """Its values, the first seen first."""
    return list(dict.fromkeys(one[key] for one in records))


def short_bytes(count):
    return f"{count >> 10}k" if count >= 1024 and count % 1024 == 0 else str(count)


def where(records):
    one = records[0]
    crowded = ", more ranks than cores" if any(one.get("crowded") for one in records) else ""
    return f"{one['mpi']}, {one['processor']}, {one['nodes']} x {one['cores']} cores{crowded}"


def draw_cells(panel, records, columns, key):
    methods = [name for name in distinct(records, "method") if name != REFERENCE]
    ratios = {(one["method"], one["ranks"], one["bytes"]): one[key] for one in records}
    logs = [[math.log2(ratios.get((method, *column), math.nan)) for column in columns] for method in methods]
    deepest = math.log2(DEEPEST)
    image = panel.imshow(logs, cmap="RdBu_r", vmin=-deepest, vmax=deepest, aspect="auto")
    for row, line in enumerate(logs):
        for column, value in enumerate(line):
            if not math.isnan(value):
                ratio = 2 ** value
                panel.text(column, row, f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.0f}", ha="center", va="center",
                           fontsize=6, color="white" if abs(value) > 0.7 * deepest else "black")
    panel.set_yticks(range(len(methods)), methods)
    panel.set_xticks(range(len(columns)), [short_bytes(size) for _, size in columns], rotation=90)
    panel.grid(False)
    return image


def heat_map(files):
    """A row for each method, a column for each size of messages, ranks side by side; ratios to MPI_Alltoall ([schulz]
    section 5): red is slower, blue is faster."""
    records = read(files)
    ranks, sizes = sorted(distinct(records, "ranks")), sorted(distinct(records, "bytes"))
    columns = [(p, size) for p in ranks for size in sizes]
    rows = len(distinct(records, "method"))
    figure, drawn = panels(2, 1, size=(max(9, 0.34 * len(columns)), 1.3 + 0.23 * rows))
    for panel, (key, title) in zip(drawn, (("ratio", "a barrier before each call"),
                                           ("ratio_without_barrier", "no barrier"))):
        image = draw_cells(panel, records, columns, key)
        for i in range(1, len(ranks)):
            panel.axvline(i * len(sizes) - 0.5, color="black", linewidth=1.5)
        groups = panel.secondary_xaxis("top")
        groups.set_xticks([(i + 0.5) * len(sizes) - 0.5 for i in range(len(ranks))], [f"{p} ranks" for p in ranks])
        groups.tick_params(length=0)
        panel.set(title=title, xlabel="bytes from each rank to each other", ylabel="method")
    bar = figure.colorbar(image, ax=drawn, extend="both", label=f"median time over that of {REFERENCE}")
    depth = int(math.log2(DEEPEST))
    bar.set_ticks(range(-depth, depth + 1), labels=[f"{2.0 ** i:g}" for i in range(-depth, depth + 1)])
    figure.suptitle(where(records))
    return figure


def kway(files):
    """A panel for each number of ranks, a curve for each size of messages ([gholami] Fig. 3)."""
    by_ranks = {}
    records = read(files)
    for one in records:
        match = re.fullmatch(r"kway(?:\((\d+)\))?", one["method"])
        if match:
            curve = by_ranks.setdefault(one["ranks"], {}).setdefault(one["bytes"], {})
            curve[int(match[1] or KWAY)] = 1e6 * one["with_barrier_s"]["median"]
    if not by_ranks:
        raise ValueError("there is no kway(k) in these results; run weft exchange --k 2,3,4,8")
    figure, drawn = panels(1, len(by_ranks), size=(4.5, 5.2))
    for panel, (ranks, curves) in zip(drawn, sorted(by_ranks.items())):
        shades = colormaps["viridis"].resampled(len(curves) + 1)  # the last colour is too pale for a line
        for i, (size, curve) in enumerate(sorted(curves.items())):
            panel.plot(*zip(*sorted(curve.items())), "o-", color=shades(i), markersize=4, label=short_bytes(size))
        panel.set_yscale("log")
        ticks(panel.xaxis, sorted({k for curve in curves.values() for k in curve}))
        panel.set(title=f"kway(k) on {ranks} ranks", xlabel="k: messages in flight at once",
                  ylabel="time of the slowest rank, microseconds")
    drawn[-1].legend(bbox_to_anchor=(1, 1), loc="upper left", title="bytes")
    figure.suptitle(where(records))
    return figure
