"""Pictures of the model and of the tuner, beside what was measured, simulated or printed in papers."""
import model_study as model
import simulated_study as simulated
import tune_study as tune
from style import GREY, colour, decades, legend_below, panels, read, ticks


def diagonal(panel, values):
    """Logarithmic axes of the same ends, and the line on which both are equal."""
    ends = [min(values) / 1.3, max(values) * 1.3]
    panel.plot(ends, ends, color=GREY, linewidth=1)
    panel.set(xscale="log", yscale="log", xlim=ends, ylim=ends)
    decades(panel.xaxis)
    decades(panel.yaxis)
    return ends


def model_study(files):
    """Predicted against measured, dashed lines at 25% more and less."""
    lines = model.read(files)
    figure, (panel,) = panels(size=(6, 5.5))
    ends = diagonal(panel, [1e3 * value for line in lines for value in (line["predicted_s"], line["measured_s"]["median"])])
    for factor in 0.8, 1.25:
        panel.plot(ends, [factor * end for end in ends], color=GREY, linewidth=0.8, linestyle="dashed")
    for number, hosts in enumerate(sorted({line["hosts"] for line in lines})):
        some = [line for line in lines if line["hosts"] == hosts]
        panel.scatter([1e3 * line["measured_s"]["median"] for line in some], [1e3 * line["predicted_s"] for line in some],
                      s=16, color=colour(None, number), label=f"{hosts} hosts")
    panel.set(title="Transforms on virtual clusters; dashed: 25% more and less", xlabel="measured, ms", ylabel="predicted, ms")
    legend_below(figure, panel)
    return figure


def simulated_study(files):
    """A panel for each machine and shape: predicted against simulated, a colour for each method."""
    lines = [line for name in files for line in simulated.read(name)]
    some = simulated.groups(lines)
    methods = list(dict.fromkeys(line["asked"].split("via=")[1] for line in lines))
    columns = 4
    rows = -(-len(some) // columns)
    figure, drawn = panels(rows, columns, size=(3.2, 3))
    for panel in drawn[len(some):]:
        panel.remove()
    for panel, ((name, shape), group) in zip(drawn, some.items()):
        diagonal(panel, [1e3 * line[key] for line in group for key in ("simulated_s", "predicted_s")])
        for number, method in enumerate(methods):
            here = [line for line in group if line["asked"].endswith(f"via={method}")]
            panel.scatter([1e3 * line["simulated_s"] for line in here], [1e3 * line["predicted_s"] for line in here],
                          s=12, color=colour(None, number), label=method)
        panel.set_title(f"{name}, {shape}: tau {simulated.tau(group, 'predicted_s'):.2f}", fontsize=9)
        panel.set(xlabel="simulated, ms", ylabel="predicted, ms")
        panel.tick_params(labelsize=8)
    legend_below(figure, drawn[:len(some)])
    return figure


def shares(panel, values, label, shade):
    """The share of values that are at most so large, as a line of steps."""
    values = sorted(values)
    panel.step(values, [(i + 1) / len(values) for i in range(len(values))], where="post", label=label, color=shade)


def tune_synthetic(files):
    """The share of machines on which each search comes so near to the best plan."""
    by_search = {}
    for line in read(files):
        if line["study"] == "tune_synthetic":
            by_search.setdefault(line["search"], []).extend(line["over_best"])
    figure, (panel,) = panels(size=(7, 4.5))
    for number, (search, values) in enumerate(by_search.items()):
        shares(panel, values, search, colour(search, number))
    panel.axvline(1.05, color=GREY, linewidth=0.8, linestyle="dashed")
    panel.set(xscale="log", xlim=(1, 4), ylim=(0, 1.02), title="Searches on invented machines; dashed: 1.05",
              xlabel="time over the best plan's", ylabel="share of machines")
    ticks(panel.xaxis, (1, 1.2, 1.5, 2, 3, 4))
    legend_below(figure, panel, 5)
    return figure


def tune_points(files):
    """The share of random points that are as fast; marks below are tuned points."""
    lines = [line for line in read(files) if line["study"] == "tune points"]
    figure, (panel,) = panels(size=(7, 4.5))
    for number, line in enumerate([line for line in lines if line["what"] == "random points"]):
        shares(panel, [1e3 * point[1] for point in line["points"]],
               f"{line['problem'].split(':')[2]}, {line['network']}/s", colour(None, number))
        tuned = [1e3 * other["seconds"] for other in lines if other["what"] == "search" and other["search"] == "tuner" and
                 other["problem"] == line["problem"] and other["network"] == line["network"]]
        panel.plot(tuned, [0] * len(tuned), "|", color=colour(None, number), markersize=14, markeredgewidth=2)
    panel.set(xscale="log", title="Random numbers of tiles; marks at the bottom: tuned ones", xlabel="time, ms",
              ylabel="share of random points")
    ticks(panel.xaxis, (30, 50, 100, 200, 300, 500, 1000, 2000))
    panel.set_xlim(*panel.dataLim.intervalx * (0.9, 1.1))
    legend_below(figure, panel)
    return figure


def tune_cross(files):
    """Plans tuned at one place, run at others."""
    lines = [line for line in read(files) if line["study"] == "tune cross"]
    ratios = [[float("nan") if r is None else r for r in tune.cross_ratios(line)] for line in lines]
    figure, (panel,) = panels(size=(7, 6))
    panel.imshow(ratios, vmin=0.9, vmax=1.5, cmap="YlOrRd")
    panel.grid(False)
    for row, values in enumerate(ratios):
        for column, value in enumerate(values):
            panel.text(column, row, "-" if value != value else f"{value:.2f}", ha="center", va="center", fontsize=8,
                       color="white" if value > 1.35 else "black")
    panel.set_xticks(range(len(ratios[0])), labels=lines[0]["tuned_on"], rotation=60, ha="right", rotation_mode="anchor")
    panel.set_yticks(range(len(ratios)), labels=[line["here"] for line in lines])
    panel.set(xlabel="tuned on", ylabel="run on", title=f"{lines[0]['problem']}: time over that of the plan tuned there")
    return figure
