# What `weft predict` prints, writes and draws agrees, and a machine that it shows is read back.
# usage: predict.py WEFT
import csv
import json
import subprocess
import sys
import tempfile
from pathlib import Path

weft = sys.argv[1]


def predict(*arguments):
    return subprocess.run([weft, "predict", *arguments], capture_output=True, text=True,
                          check=True).stdout


with tempfile.TemporaryDirectory() as folder:
    table, machine = (Path(folder) / name for name in ("a.csv", "mine.json"))
    asked = ["64x64x64", "--machine", "jaguar", "--ranks", "2..1024"]
    text = predict(*asked, "--csv", table)
    printed = json.loads(predict(*asked, "--json"))
    machine.write_text(predict("--machine", "jaguar", "--show-machine"))
    assert predict("64x64x64", "--machine", machine, "--ranks", "2..1024") == text
    rows = list(csv.DictReader(table.open()))
    lines = [line for line in text.splitlines() if line[:7].strip().isdigit()]
    assert len(rows) == len(lines) == len(printed["predictions"]) > 15, (len(rows), len(lines))
    for row, line, value in zip(rows, lines, printed["predictions"]):
        assert [row["ranks"], row["name"]] == line.split()[:2], line
        assert int(row["ranks"]) == value["ranks"] and row["name"] == value["name"], row
        seconds = sum(stage["work"] + stage["exchange"] + stage["hop"] for stage in value["stages"])
        assert abs(seconds - float(row["seconds"])) <= 1e-5 * seconds, row
        assert (row["fastest"] == "1") == value["fastest"] == line.endswith("*"), row
    assert printed["machine"] == json.loads(machine.read_text())
    by_ranks = {}
    for row in rows:
        by_ranks.setdefault(row["ranks"], []).append(row)
    for some in by_ranks.values():
        # weft's own plan is the fastest within 1/64 of the least time.
        least = min(float(row["seconds"]) for row in some)
        fastest = [float(row["seconds"]) for row in some if row["fastest"] == "1"]
        assert fastest and all(seconds <= least * (1 + 1 / 60) for seconds in fastest), some
    # Curves are drawn by Python.
    done = subprocess.run([weft, "predict", *asked, "--plot", "a.svg"], capture_output=True, text=True)
    assert done.returncode == 2 and "python3 -m weft.plot FILE.json" in done.stderr, done.stderr
    # On a device: hops count, the caller's arrays need none, and what MPI does not reach is refused.
    def on_device(space, *more):
        some = json.loads(predict("64x64x64", "--machine", "summit-v100", "--ranks", "12", "--space", space, "--json",
                                  "--decomposition", "pencil(2x6)", *more))["predictions"]
        assert len(some) == 1 and abs(some[0]["seconds"] - some[0]["work"] - some[0]["exchange"] - some[0]["hop"]) < 1e-9
        return some[0]
    staged, direct = (on_device(f"fake({travel})") for travel in ("staged", "direct"))
    assert staged["hop"] > direct["hop"] > 0 == on_device("fake(direct)", "--device-arrays")["hop"]
    assert on_device("fake")["seconds"] <= min(staged["seconds"], direct["seconds"])
    assert on_device("fake(staged:4096)")["space"] == "fake(staged:4096)"
    done = subprocess.run([weft, "predict", "64x64x64", "--machine", "titan", "--space", "fake(direct)"], capture_output=True,
                          text=True)
    assert done.returncode == 2 and "on titan MPI does not reach" in done.stderr, (done.returncode, done.stderr)
    # Weights that are left open are chosen and said, by explain as well.
    weighted = on_device("fake(staged,share:1of2,weight:auto)")["space"]
    assert weighted.startswith("fake(staged,share:1of2") and "auto" not in weighted, weighted
    shared = subprocess.run([weft, "explain", "64x64x64; space=fake(staged,share:1of2,weight:auto)", "--ranks", "2", "--machine",
                             "summit-v100"], capture_output=True, text=True, check=True).stdout
    assert "share:1of2" in shared and "weight:auto" not in shared, shared
    # A file that never ends, and a folder: refused, by name.
    for path in ["/dev/zero", folder + "/"]:
        done = subprocess.run([weft, "predict", "64x64x64", "--machine", path], capture_output=True, text=True, timeout=600)
        assert done.returncode == 4 and path in done.stderr, (path, done.returncode, done.stderr)
print("0 failures")
