"""Pictures of what weft's own studies measured: ranks of a node, overlap, engines, the choice of an engine."""
import math

import auto_study_table as auto
import engine_study_table as engines
import node_study_table as node
import overlap_table as overlap
from style import BLACK, GREY, ORANGE, PURPLE, colour, grouped_bars, legend_below, panels, problem_name, read, ticks
from style import BLUE, GREEN, RED

RUNNERS = {"weft": "weft", "weft-returning": "weft, back to the input's layout", "weft-messages": "weft by messages",
           "fftw-mpi": "FFTW-MPI", "fftw-threads": "FFTW's threads", "mkl-threads": "MKL's threads"}


def node_study(files):
    """Two ranks of one node beside FFTW-MPI."""
    two = {problem_name(problem): study for (problem, ranks), study in node.read(files).items() if ranks == 2}
    runners = {label: runner for runner, label in RUNNERS.items() if any(runner in study for study in two.values())}

    def value(problem, label):
        mine = node.seconds(two[problem], runners[label], "forward")
        best = node.best_of_fftw_mpi(two[problem], "forward")
        return mine / best if mine and best else None
    figure, (panel,) = panels(size=(9, 1.2 + 0.16 * len(runners) * len(two)))
    grouped_bars(panel, list(two), list(runners), value)
    panel.axvline(1, color=BLACK, linewidth=0.8)
    panel.set(title="Two ranks, or two threads of one process; forward transform", ylabel="problem",
              xlabel="time over FFTW-MPI's best (less is faster)")
    legend_below(figure, panel, 3)
    return figure


def auto_study(files):
    """Engines by name and `auto` over the best, a panel for each machine."""
    records = read(files)
    middle = next(place for place in range(1, len(records) + 1) if place == len(records) or
                  auto.name_of(records[place]) == auto.name_of(records[0]))
    machines = [some for some in (records[:middle], records[middle:]) if some]
    figure, drawn = panels(1, len(machines), size=(7, 1.4 + 0.23 * middle))
    for panel, some in zip(drawn, machines):
        for engine in reversed(auto.engines_in(records)):
            points = [(auto.ratios(one)[engine], place) for place, one in enumerate(some) if engine in auto.ratios(one)]
            if points:
                panel.plot(*zip(*points), "D" if engine == "auto" else "o", markersize=4 if engine == "auto" else 6,
                           color=colour(engine), label=engine, alpha=0.9)
        panel.set_xscale("log", base=2)
        ticks(panel.xaxis, (1, 1.5, 2, 3, 4, 6, 8))
        panel.axvline(auto.ASKED, color=BLACK, linewidth=0.8, linestyle="dashed")
        panel.set_yticks(range(len(some)), [problem_name(auto.name_of(one)) for one in some], fontsize=8)
        panel.set_ylim(len(some) - 0.5, -0.5)
        panel.set(title=f"{some[0].get('processor', 'one machine')}", xlabel="time over the best engine by name",
                  ylabel="problem")
    legend_below(figure, drawn)
    return figure


SCHEMES = {"fftw-mpi": ("FFTW-MPI", ORANGE, "-"), "blocking": ("blocking", GREY, "-"),
           "NEW-0": ("along z, no overlap", GREEN, "--"), "NEW": ("along z, overlap", GREEN, "-"),
           "x-0": ("along x, no overlap", BLUE, "--"), "x": ("along x, overlap", BLUE, "-"),
           "TH-0": ("[hoefler], no overlap", RED, "--"), "TH": ("[hoefler], overlap", RED, "-"),
           "x-fused-native": ("along x, overlap, engine native", PURPLE, "-")}


def overlap_study(files):
    """Time by the rate of the links."""
    studies = {key: by_rate for key, by_rate in sorted(overlap.read(files).items()) if not overlap.is_batch(key)}
    figure, drawn = panels(1, len(studies), sharey=True)
    for panel, ((mpi, problem), by_rate) in zip(drawn, studies.items()):
        rates = [rate for rate in sorted(by_rate, key=overlap.gigabits) if rate != "none" and "+" not in rate]
        numbers = [overlap.gigabits(rate) for rate in rates]
        for name, (label, shade, line) in SCHEMES.items():
            times = [1e3 * overlap.median(by_rate[rate], name) for rate in rates]
            if not all(map(math.isnan, times)):
                panel.plot(numbers, times, "o" + line, markersize=4, label=label, color=shade)
        panel.set_xscale("log")
        panel.set_yscale("log")
        ticks(panel.xaxis, [number for number in numbers if number != 3], None)
        ticks(panel.yaxis, (100, 200, 300, 500, 700, 1000, 1500))
        panel.set(title=f"{problem_name(problem)}, 2 hosts, {mpi}", xlabel="rate of the links, Gbit/s",
                  ylabel="time of a forward transform, ms")
    legend_below(figure, drawn)
    return figure


def engine_study(files):
    """GFLOP/s by length, a panel for each pattern: a colour an engine, a marker a group of lengths."""
    records = engines.load(files)
    cases = engines.filled(records, "c2c", "f64", "L2")
    figure, drawn = panels(2, 2, size=(5.5, 3.6), sharex=True, sharey=True)
    for panel, pattern in zip(drawn, engines.PATTERNS):
        here = sorted((length, one) for (where, length), one in cases.items() if where == pattern)
        for engine in engines.engines_of(cases.values()):
            for group, style in zip(engines.GROUPS, ("o-", "^:", "x--")):
                points = [(length, speed) for length, one in here
                          if one["group"] == group and (speed := engines.speed(one, engine))]
                if points:
                    panel.plot(*zip(*points), style, color=colour(engine), label=f"{engine}, {group}", markersize=4)
        panel.set_xscale("log", base=2)
        ticks(panel.xaxis, [4 ** n for n in range(1, 8) if 4 ** n <= max(length for _, length in cases)])
        panel.set(title=pattern.replace("-", " "), xlabel="length of a line", ylabel="GFLOP/s")
        panel.label_outer()
    legend_below(figure, drawn, len(engines.engines_of(cases.values())))
    machine = next((one for one in records if one["study"] == "machine"), {})
    vectors = machine.get("engines", {}).get("native", "").removeprefix("vectors of ")
    figure.suptitle(f"c2c, double precision, batches that fill the L2 cache; {machine.get('processor', '')}, {vectors}")
    return figure
