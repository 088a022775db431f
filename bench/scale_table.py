"""Tables of what bench/scale_study.py wrote, as text."""

import json
import math
import statistics
from pathlib import Path

BY = ("predicted", "simulated")

# Rows of which the machine's figures were made (machines/titan.json, stampede.json): the first of the table.
FITTED = {"Table 1, CPU": 3, "Table 1, GPU": 3, "Table 3": 3}


def read(file):
    """All lines but the first, which says where they are from."""
    return [line for line in map(json.loads, Path(file).read_text(encoding="utf-8").splitlines()) if "paper" in line]


def tables(lines):
    """The rows with printed times by paper and table, in order."""
    found = {}
    for line in lines:
        if "table" in line and "printed_s" in line:
            found.setdefault((line["paper"], line["table"]), []).append(line)
    return found


def ratio(line, by, what=""):
    """What is predicted or simulated over what is printed."""
    what = f"{what}_" if what else ""
    if f"{what}{by}_s" not in line or f"{what}printed_s" not in line:
        return None
    return line[f"{what}{by}_s"] / line[f"{what}printed_s"]


def off(rows, by, what=""):
    """The largest factor by which rows are too fast or too slow."""
    factors = [max(one, 1 / one) for one in (ratio(row, by, what) for row in rows) if one is not None]
    return max(factors, default=math.nan)


def tested(rows, name):
    """Rows of a table of which no figure of the machine was made."""
    return rows[FITTED.get(name, 0):]


def scaled(rows, by="predicted"):
    """Ratios of totals if exchange and work were as in the first row: rates fitted to one row."""
    exchange, work = ratio(rows[0], by, "exchange"), ratio(rows[0], by, "work")
    return [(row[f"exchange_{by}_s"] / exchange + row[f"work_{by}_s"] / work) / row["printed_s"] for row in rows
            if f"{by}_s" in row]


def own_gain(row):
    """Times as fast as the paper's decomposition, weft's default plan, both as predicted."""
    return row["predicted_s"] / row["own_s"]


def factor(number):
    return "      -" if number is None else f"{number:7.2f}"


def table_of_times(name, rows):
    print(f"\n{' '.join(name)}: over what is printed\n  ranks  printed ms  predicted simulated   exchange simulated       work"
          "    default is so many times as fast, its plan")
    for row in rows:
        print(f"{row['ranks']:7d}{1e3 * row['printed_s']:12.3f}    ", factor(ratio(row, "predicted")),
              factor(ratio(row, "simulated")), "   ", factor(ratio(row, "predicted", "exchange")),
              factor(ratio(row, "simulated", "exchange")), "   ", factor(ratio(row, "predicted", "work")), "    ",
              f"{own_gain(row):.2f} {row['own_plan']}" if "own_s" in row else "-")
    for by in BY:
        print(f"{by}: within a factor of {off(rows, by):.2f}, those not fitted on {off(tested(rows, name[1]), by):.2f}")
    if "exchange_printed_s" in rows[0]:
        for by in BY:
            print(f"{by}, with the exchange and the work of the first row: "
                  + " ".join(f"{one:.2f}" for one in scaled(rows, by)))


def table_of_calls(name, rows):
    """[schulz] section 5: means by ranks."""
    print(f"\n{' '.join(name)}: geometric means over what is printed")
    for ranks in sorted({row["ranks"] for row in rows}):
        print(f"{ranks:7d}", *(f"{by} {geometric([ratio(row, by) for row in rows if row['ranks'] == ranks]):.2f}" for by in BY))


def geometric(values):
    return math.exp(statistics.fmean(map(math.log, values)))


def table_of_grids(lines):
    """[schulz] section 4: each exchange, in milliseconds."""
    rows = [line for line in lines if line.get("table", "").startswith("section 4, grids")]
    print("\nschulz section 4: each exchange in ms, printed, predicted, simulated (mean of ranks), simulated (slowest rank)")
    for row in rows:
        values = [" + ".join(f"{1e3 * one:.2f}" for one in row[key]) for key in
                  ("exchanges_predicted_s", "exchanges_simulated_s", "exchanges_slowest_s")]
        print(f"{row['table']:28} {row['grid']:>5}  {1e3 * row['first_printed_s']:.2f} + {1e3 * row['second_printed_s']:.2f}", *values,
              sep=" | ")


def shown(value):
    if isinstance(value, list):
        return " to ".join(map(shown, value))
    return "-" if value is None else value if isinstance(value, str) else f"{value:.3g}" if value < 1000 else f"{value:.0f}"


def table_of_claims(lines):
    some = [line for line in lines if "says" in line]
    compared = [line for line in some if any(line[by] is not None for by in BY)]
    print(f"\n{len(some)} claims, {len(compared)} compared\nfigure: what is printed; predicted, simulated")
    for line in compared:
        values = [f"{shown(line[by])} ({'yes' if line['holds'][by] else 'no'})" if line[by] is not None else "-" for by in BY]
        print(f"[{line['paper']}] {line['figure']}, {line['says']}: {line['is']} {shown(line['printed'])}; {', '.join(values)}")
    for by in BY:
        told = [line for line in compared if line[by] is not None]
        print(f"{by}: {sum(line['holds'][by] for line in told)} of {len(told)} hold")


def table_of_points(lines):
    series = {}
    for line in lines:
        if "figure" in line and "says" not in line:
            key = (line["paper"], line["figure"], line["machine"], line["series"], line.get("n") if "k" not in line else None)
            series.setdefault(key, []).append(line)
    print("\nfigures: ranks (or k) and ms, predicted and simulated")
    for key, some in series.items():
        print(*[word for word in key if word is not None], end=": ")
        print(", ".join(f"{line.get('k', line['ranks'])} {1e3 * line['predicted_s']:.3g}" +
                        (f" {1e3 * line['simulated_s']:.3g}" if "simulated_s" in line else "") for line in some))


def table(lines):
    for name, rows in tables(lines).items():
        (table_of_calls if "section 5" in name[1] else table_of_times)(name, rows)
    table_of_grids(lines)
    table_of_points(lines)
    table_of_claims(lines)
