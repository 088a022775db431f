"""Pictures of bench/results/scale_study.json: what papers print, what the model predicts, what the clock simulates."""
import scale_table
from style import BLACK, GREY, colour, decades, legend_below, panels, ticks

STYLES = {"printed": "o", "predicted": "-", "simulated": "x"}


def milliseconds(line, by):
    return 1e3 * line[f"{by}_s"] if f"{by}_s" in line else None


def exchange(line, by):
    return 1e3 * line[f"exchange_{by}_s"] if f"exchange_{by}_s" in line else None


def bandwidth(line, by):
    """GB/s that a rank sends in its exchanges."""
    return 1e-9 * line["rank_bytes"] / line[f"exchange_{by}_s"] if f"exchange_{by}_s" in line else None


def where(line):
    return line.get("table", line.get("figure"))


def named(lines, paper, names):
    return [line for line in lines if line["paper"] == paper and where(line) in names and "says" not in line]


def curves(panel, lines, value, x="ranks", colours=None):
    """A colour for each series; dots printed, lines predicted, crosses simulated."""
    series = {}
    for line in lines:
        series.setdefault(line.get("series"), []).append(line)
    for number, (name, some) in enumerate(series.items()):
        shade = colour(name, number) if colours is None else colours[number]
        for by, style in STYLES.items():
            points = [(line[x], value(line, by)) for line in some if value(line, by) is not None]
            if points:
                label = f"{name}, {by}" if name and by == "predicted" else by if not name or by == "printed" else None
                panel.plot(*zip(*points), style, color=BLACK if by == "printed" else shade, label=label, markersize=5,
                           linewidth=1.4, zorder=3 if by == "printed" else 2)
    panel.set_xscale("log", base=2)
    panel.set_yscale("log")
    places = sorted({line[x] for line in lines})
    ticks(panel.xaxis, places[::-(-len(places) // 6)])
    decades(panel.yaxis)
    panel.set_xlabel("k: messages in flight at once" if x == "k" else x)


def grouped(lines):
    """By machine, size and table."""
    groups = {}
    for line in lines:
        size = line["text"].split(";")[0].split(":")[2].split(" ")[0].split("*")[0]
        groups.setdefault((line["machine"], size), []).append(line)
    return groups


def grid_of(count, columns=3, size=(4.2, 3.6)):
    columns = min(columns, count)
    figure, drawn = panels(-(-count // columns), columns, size=size)
    for panel in drawn[count:]:
        panel.remove()
    return figure, drawn[:count]


def one_figure(lines, paper, name):
    """Any figure or table: a panel for each machine and size."""
    some = named(lines, paper, [name])
    groups = grouped(some)
    figure, drawn = grid_of(len(groups))
    for panel, ((machine, size), group) in zip(drawn, groups.items()):
        curves(panel, group, milliseconds, "k" if "k" in group[0] else "bytes" if "bytes" in group[0] else "ranks")
        panel.set(title=f"{machine}, {size}", ylabel="time, ms")
    figure.suptitle(f"[{paper}] {name}; dots: printed, lines: predicted, crosses: simulated")
    return figure


def figures(lines):
    """All that one_figure() can draw."""
    return list(dict.fromkeys((line["paper"], where(line)) for line in lines if "says" not in line))


def tables(files):
    """[gholami] Tables 1 to 3 and Fig. 4: printed, predicted, simulated, and weft's default plan."""
    lines = scale_table.read(files[0])
    names = ("Table 1, CPU", "Table 1, GPU", "Table 2", "Table 3", "Fig. 4 (a)", "Fig. 4 (d)")
    figure, drawn = grid_of(len(names))
    for panel, name in zip(drawn, names):
        some = named(lines, "gholami", [name])
        curves(panel, [{**line, "series": None} for line in some], milliseconds)
        panel.plot(*zip(*[(line["ranks"], 1e3 * line["own_s"]) for line in some if "own_s" in line]), ":", color=GREY,
                   label="weft's default plan, predicted")
        (machine, size), = grouped(some)
        panel.set(title=f"[gholami] {name}: {size}, {machine}", ylabel="time, ms")
    legend_below(figure, drawn)
    return figure


def kway(files):
    """[gholami] Fig. 3: the exchange by k."""
    lines = scale_table.read(files[0])
    figure, drawn = panels(1, 2, size=(5, 4))
    for panel, name, words in zip(drawn, ("Fig. 3 (a)", "Fig. 3 (b)"), ("2048 ranks", "512 ranks")):
        some = named(lines, "gholami", [name])
        curves(panel, some, exchange, "k")
        panel.set_yscale("linear")
        panel.axvline(64, color=GREY, linestyle="dashed", linewidth=1)
        panel.set(title=f"[gholami] {name}: {some[0]['machine']}, {words}", ylabel="exchanges of 2048^3, ms")
    figure.suptitle("kway(k); dashed: k = 64, printed as the fastest; crosses: simulated")
    legend_below(figure, drawn)
    return figure


def summit(files):
    """[ayala] Fig. 4: bandwidth; Figs. 8 and 9: with GPU-aware MPI and without."""
    lines = scale_table.read(files[0])
    figure, drawn = panels(1, 3, size=(4.4, 4))
    some = [line for line in named(lines, "ayala", ["Fig. 4"])]
    curves(drawn[0], some, bandwidth)
    drawn[0].set(title="[ayala] Fig. 4: 512^3", ylabel="bandwidth of a rank, GB/s")
    for panel, name, words in zip(drawn[1:], ("Fig. 8", "Fig. 9"), ("all-to-all", "point-to-point")):
        curves(panel, named(lines, "ayala", [name]), milliseconds)
        panel.set(title=f"[ayala] {name}: {words}, summit-v100", ylabel="time, ms")
        panel.plot([24], [90], "o", color=BLACK, label="printed in the text")
    for panel in drawn:
        panel.legend(fontsize=7)
    figure.suptitle("lines: predicted, crosses: simulated")
    return figure


def methods(files):
    """[duy] Fig. 5: six methods within a transform."""
    lines = named(scale_table.read(files[0]), "duy", ["Fig. 5"])
    groups = grouped(lines)
    figure, drawn = grid_of(len(groups), 2, (5, 3.8))
    for panel, ((machine, _), group) in zip(drawn, groups.items()):
        curves(panel, group, milliseconds)
        panel.set(title=f"[duy] Fig. 5: 256^3, {machine}", ylabel="time, ms")
    figure.suptitle("lines: predicted, crosses: simulated")
    legend_below(figure, drawn, 3)
    return figure


def overlap(files):
    """[song] Fig. 7: times without overlap and without tiles over NEW's."""
    lines = named(scale_table.read(files[0]), "song", ["Figs. 7, 8"])
    groups = list(dict.fromkeys((line["machine"], line["ranks"]) for line in lines))
    figure, drawn = grid_of(len(groups), 3, (4.2, 3.4))
    for panel, (machine, ranks) in zip(drawn, groups):
        some = [line for line in lines if (line["machine"], line["ranks"]) == (machine, ranks)]
        for number, series in enumerate(("NEW-0", "plain")):
            for by in ("predicted", "simulated"):
                times = {(line["series"], line["n"]): line.get(f"{by}_s") for line in some}
                points = [(n, times[name, n] / times["NEW", n]) for name, n in times
                          if name == series and times[name, n] and times.get(("NEW", n))]
                if points:
                    panel.plot(*zip(*points), STYLES[by], color=colour(None, number),
                               label=f"{series}, {by}")
        panel.axhline(1, color=GREY, linewidth=0.8)
        panel.set(title=f"[song] Fig. 7: {machine}, {ranks} ranks", xlabel="n of n^3", ylabel="time over NEW's")
        ticks(panel.xaxis, sorted({line["n"] for line in some}))
    legend_below(figure, drawn)
    return figure


def machines(files):
    """Today's machines: weft's default plan by ranks, arrays on devices."""
    lines = named(scale_table.read(files[0]), "machines", ["strong scaling"])
    figure, drawn = panels(1, 2, size=(5.2, 4.6))
    for panel, n in zip(drawn, (1024, 4096)):
        some = [{**line, "series": line["machine"]} for line in lines if line["n"] == n]
        curves(panel, some, milliseconds)
        panel.set(title=f"c2c f64 {n}^3, weft's default plan", ylabel="time, ms")
    figure.suptitle("lines: predicted, crosses: simulated; by public figures of each machine")
    legend_below(figure, drawn)
    return figure
