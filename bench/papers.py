"""The numbers that papers print (bench/papers/*.json), and the weft problem that belongs to each.

published.json has those of other articles, each table with its own `source`.

A table has columns and rows. `cores`, `nodes`, `ranks` and `bytes` are counts, `grid` and `brick` process grids; other
columns end in their unit: `total_s`, `first_ms`. A table with `across` has a column for each value of that quantity
and cells of one kind: with `"across": "ranks", "cell": "us"` the row [8, 14.12, 47.89] under ["bytes", "2", "4"] says
that 8 bytes take 14.12 us on 2 ranks. Columns under `assumed` are not printed, but needed to compute a row again.
A claim is what a text says of a figure without numbers.

`problem`, `decomposition` and `choice` name columns in braces: `pencil({grid})`. Row 1 of [gholami] Table 1 is

    r2c:f64:1024x1024x1024; ranks=128; decomposition=pencil(8x16); via=alltoallv; pack=sender; engine=fftw
"""

import json
from pathlib import Path

FOLDER = Path(__file__).parent / "papers"


def paper(name):
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def table(name, which):
    """The table `which` of paper `name`."""
    return next(one for one in paper(name)["tables"] if one["name"] == which)


def records(one):
    """Each row of a table by the names of its columns; of a table with `across`, each cell."""
    for row in one["rows"]:
        record = dict(zip(one["columns"], row))
        if "across" not in one:
            yield record
            continue
        key = one["columns"][0]
        for across, value in zip(one["columns"][1:], row[1:]):
            yield {key: record[key], one["across"]: int(across), one["cell"]: value}


def text(one, record):
    """The weft text of a record, or nothing if the table has none or a number in it cannot be read."""
    if one["problem"] is None:
        return None
    parts = [one["problem"]] + ([f"ranks={record['ranks']}"] if "ranks" in record else [])
    if one["decomposition"]:
        parts.append(f"decomposition={one['decomposition']}")
    if one["choice"]:
        parts.append(one["choice"])
    words = "; ".join(parts)
    if any(value is None and f"{{{name}}}" in words for name, value in record.items()):
        return None
    return words.format(**record)
