"""Of the papers' scaling tables and figures, as scale_study.json has them."""
import sys

import tables
from results import SOURCE, document, lines, span

sys.path.append(str(SOURCE / "bench"))
import scale_claims  # noqa: E402
import scale_table  # noqa: E402

STUDY = "scale_study.json"


def rows(cells):
    """An empty cell is one space."""
    return tables.rows([" " if not one else one for one in some] for some in cells).replace("|   |", "| |").replace("|   |", "| |")


def scale_row(table):
    """Ratios to what [gholami] prints: predicted, of rows not fitted; the default plan's gain."""
    rows = lines(STUDY, paper="gholami", table=table)
    rest = scale_table.tested(rows, table)
    cells = [[scale_table.ratio(row, "predicted") for row in rows], [scale_table.ratio(row, "predicted") for row in rest],
             [scale_table.own_gain(row) for row in rows if "own_s" in row]]
    return " | ".join(map(span, cells))


def scale_scaled(table):
    """Ratios with the exchange and the work of the first row."""
    return scale_table.scaled(lines(STUDY, paper="gholami", table=table))


def scale_totals(table):
    return span(scale_table.ratio(row, "predicted") for row in lines(STUDY, paper="gholami", table=table))


def cell(number, digits=2):
    return "" if number is None else f"{number:.{digits}f}"


def scale_times():
    """Each row with printed times of [gholami] and of today's machines: what weft says over what is printed."""
    cells = []
    for (paper, table), some in scale_table.tables(lines(STUDY)).items():
        for row in some if "section 5" not in table else ():
            ratios = [scale_table.ratio(row, *of) for of in (("predicted",), ("simulated",), ("predicted", "exchange"),
                                                             ("predicted", "work"))]
            own = [cell(scale_table.own_gain(row)), f"`{row['own_plan']}`"] if "own_s" in row else ["", ""]
            cells.append([f"[gholami] {table}" if paper == "gholami" else table, str(row["ranks"]), f"{1e3 * row['printed_s']:.4g}",
                          *map(cell, ratios), *own])
    return rows(cells)


def scale_claims_table():
    """Each claim that can be compared."""
    cells = []
    for one in document(STUDY):
        if "says" in one and (one["predicted"] is not None or one["simulated"] is not None):
            said = "" if one["is"] == "is" else "" if one["is"] == "range" else f"{one['is']} "
            values = [f"{scale_table.shown(one[by])}{'' if one['holds'][by] else ' (no)'}" if one[by] is not None else ""
                      for by in scale_table.BY]
            cells.append([f"[{one['paper']}] {one['figure']}", one["says"], f"{said}{scale_table.shown(one['printed'])}", *values])
    return rows(cells)


def scale_calls():
    """[schulz] section 5: geometric means over what is printed, by ranks."""
    cells = []
    for (_, table), some in scale_table.tables(lines(STUDY)).items():
        if "section 5" in table:
            for ranks in sorted({row["ranks"] for row in some}):
                here = [row for row in some if row["ranks"] == ranks]
                cells.append([table.split(", ")[1], str(ranks),
                              *(cell(scale_table.geometric([scale_table.ratio(row, by) for row in here])) for by in scale_table.BY)])
    return rows(cells)


def scale_grids():
    """[schulz] section 4: the exchanges of each grid, ms."""
    cells = []
    for row in lines(STUDY, paper="schulz"):
        if row.get("table", "").startswith("section 4"):
            printed = (f"{1e3 * row[f'{name}_printed_s']:.2f} ({1e3 * row[f'{name}_sd_printed_s']:.2f})" for name in ("first", "second"))
            cells.append([row["grid"] + (", barriers" if "barriers" in row["table"] else ""), *printed,
                          *(" + ".join(f"{1e3 * one:.2f}" for one in row[key]) for key in
                            ("exchanges_predicted_s", "exchanges_simulated_s", "exchanges_slowest_s"))])
    return rows(cells)


def claim(paper, figure, says, by="predicted"):
    (one,) = [each[by] for each in lines(STUDY, paper=paper, figure=figure) if each.get("says", "").startswith(says)]
    return one


def claims_held(by):
    """Of those compared."""
    return [one["holds"][by] for one in document(STUDY) if "says" in one and one[by] is not None]


def bandwidth(ranks, machine):
    points = scale_claims.Points(lines(STUDY, paper="ayala"), "predicted")
    return points.bandwidth(machine=machine, series=f"all-to-all, {machine}")[ranks]


def without_tiles(machine, ranks, by, other="plain"):
    """Times over NEW's."""
    return scale_claims.gains(scale_claims.Points(lines(STUDY, paper="song"), by), machine, ranks, other)


def simulated_within(by, part=0.15):
    """Of simulated.json: near to SMPI."""
    return [abs(one[f"{by}_s"] / one["simulated_s"] - 1) <= part for one in document("simulated.json") if f"{by}_s" in one]


def scale_table_off(table):
    """By which factor the predictions of its rows are off at most."""
    return scale_table.off(lines(STUDY, paper="gholami", table=table), "predicted")
