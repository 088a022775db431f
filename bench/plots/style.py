"""The looks that all pictures share: one colour for one thing, titles, axes with units, legends beside the panels."""
import json
import re

import matplotlib

matplotlib.use("Agg")
matplotlib.rcParams.update({
    "svg.hashsalt": "weft", "font.size": 10, "axes.titlesize": 10, "axes.grid": True, "grid.alpha": 0.3,
    "axes.axisbelow": True, "legend.frameon": False, "legend.fontsize": 9, "figure.constrained_layout.use": True,
})
from matplotlib import pyplot, ticker  # noqa: E402, pylint: disable=wrong-import-position

BLUE, ORANGE, GREEN, RED, PURPLE = "#0072b2", "#d55e00", "#009e73", "#c1272d", "#8d5ba6"
SKY, AMBER, GREY, BLACK, PINK, BROWN = "#56b4e9", "#e6a817", "#8c8c8c", "#1a1a1a", "#d97fb0", "#7f5539"

# A thing has this colour in every picture: libraries and engines, runners of studies, decompositions, searches.
COLOURS = {
    "weft": BLUE, "native": BLUE, "tuner": BLUE, "predicted": BLUE,
    "weft, back to the input's layout": SKY, "weft by messages": PURPLE, "auto": PURPLE,
    "FFTW-MPI": ORANGE, "fftw": ORANGE, "FFTW's threads": AMBER,
    "mkl": GREEN, "MKL's threads": GREEN, "cufft": BLACK,
    "slab": BLUE, "pencil": ORANGE, "brick": GREEN,
    "random": GREY, "simplex": AMBER, "coordinate": PINK, "rank-order": BROWN,
    "CPU": ORANGE, "GPU": BLUE,
}
OTHERS = (BLUE, ORANGE, GREEN, PURPLE, AMBER, PINK, BROWN, GREY, SKY, RED)


def colour(name, number=0):
    """Of a thing that is named above; others of a picture by number."""
    return COLOURS.get(name) or OTHERS[number % len(OTHERS)]


def read(files):
    """The objects of files of JSON, one a line."""
    return [json.loads(line) for name in files for line in open(name, encoding="utf-8") if line.strip()]


def panels(rows=1, columns=1, size=(5.5, 4.2), **options):
    """A figure, and its panels as a list. `size` is that of one panel in inches."""
    figure, grid = pyplot.subplots(rows, columns, squeeze=False, figsize=(size[0] * columns, size[1] * rows), **options)
    return figure, list(grid.flat)


def plain(number, _=None):
    return f"{number:g}"


def ticks(axis, places, labels=None):
    """Only these ticks, on a logarithmic axis too."""
    axis.set_major_locator(ticker.FixedLocator(list(places)))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(ticker.FixedFormatter(labels) if labels else ticker.FuncFormatter(plain))


def decades(axis):
    """Powers of ten of a logarithmic axis, and what fits between them if they are few."""
    low, high = axis.get_view_interval()
    subs = (1, 2, 5) if high / low < 300 else (1,)
    axis.set_major_locator(ticker.LogLocator(base=10, subs=subs, numticks=20))
    axis.set_minor_locator(ticker.NullLocator())
    axis.set_major_formatter(ticker.FuncFormatter(plain))


def legend_below(figure, source, columns=4):
    """The lines of one panel, or of all in a list, below the figure."""
    found = {}
    for panel in source if isinstance(source, list) else [source]:
        for handle, label in zip(*panel.get_legend_handles_labels()):
            found.setdefault(label, handle)
    figure.legend(found.values(), found.keys(), loc="outside lower center", ncols=min(columns, len(found)))


def problem_name(text):
    """`c2c:f64:64x64x64` as it is read: double precision goes without saying."""
    return re.sub(r" *;.*", "", text.replace(":f64:", " ").replace(":f32:", " f32 "))


def grouped_bars(panel, groups, series, values):
    """Horizontal bars: groups from the top down, in each a bar for each of the series, where values(group, series) is
    not None."""
    height = 0.84 / len(series)
    for number, one in enumerate(series):
        some = [(place, values(group, one)) for place, group in enumerate(groups)]
        some = [(place, value) for place, value in some if value]
        panel.barh([place - 0.42 + (number + 0.5) * height for place, _ in some], [value for _, value in some], height,
                   color=colour(one, number), label=one)
    panel.set_yticks(range(len(groups)), groups)
    panel.set_ylim(len(groups) - 0.5, -0.5)
    panel.grid(axis="y", visible=False)
