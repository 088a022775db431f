# What `weft wisdom` shows, merges, forgets and reports.
# usage: wisdom.py WEFT
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

weft = sys.argv[1]


def entry(problem, day, choice="via=alltoallv", nodes=1):
    return {
        "format": "weft wisdom", "version": 1, "problem": problem + " in=free out=free", "ranks": 2,
        "site": {"processor": "Z80", "instruction_set": "AVX2", "mpi": "an MPI", "nodes": nodes,
                 "ranks_per_node": 2 // nodes, "placement": "block", "threads": 1, "weft": "1.2.3"},
        "choice": choice,
        "evidence": {"date": f"2024-05-{day:02}T12:00:00Z", "tuning": "measure", "spent": 1.5,
                     "evaluations": 2,
                     "winner": {"seconds": 1.25e-3, "low": 1.2e-3, "high": 1.5e-3, "rounds": 9}},
        "colour": "red"}


def lines(*entries):
    return "".join(json.dumps(one) + "\n" for one in entries)


with tempfile.TemporaryDirectory() as folder:
    users, other = Path(folder) / "a folder" / "users.jsonl", Path(folder) / "other.jsonl"
    environment = {**os.environ, "WEFT_WISDOM": str(users)}

    def wisdom(*arguments, code=0, variables=environment):
        done = subprocess.run([weft, "wisdom", *map(str, arguments)], capture_output=True, text=True,
                              env=variables)
        assert done.returncode == code, (arguments, done)
        return done

    def kept():
        return [json.loads(line) for line in users.read_text().splitlines()]

    # Nothing is known yet.
    assert wisdom("show").stdout.startswith(f"verdict    no entries\nlooked in  {users}")
    wisdom("forget", "--all", code=4)
    wisdom("forget", code=2)
    wisdom("merge", other, code=4)
    wisdom(code=2)
    assert "name one" in wisdom("merge", users.parent.parent,
                                code=2, variables={**environment, "WEFT_WISDOM": ""}).stderr
    assert "the value is empty" in wisdom("merge", other, "--into", "", code=2).stderr

    # What holds no entry at all is another file, and none of its lines is taken over.
    other.write_text("root:x:0:0\n{}\n")
    assert f"'{other}' is not a file of wisdom" in wisdom("merge", other, code=2).stderr
    assert f"'{other}' is not a file of wisdom" in wisdom("show", other, code=2).stderr
    assert not users.exists()

    # The newer entry of two counts; what is no entry is told and kept.
    old, fresh = entry("c2c:f64:8x8x8", 10), entry("c2c:f64:8x8x8", 11, "via=alltoallw")
    far = entry("c2c:f64:8x8x8", 9, nodes=2)
    other.write_text(lines(old, far) + '{"half": \n')
    done = wisdom("merge", other)
    assert done.stdout == f"2 of 2 entries were new or better; they are in {users}\n", done.stdout
    assert f"{other}, line 3: " in done.stderr
    other.write_text(lines(fresh, far, {**far, "version": 2}))
    done = wisdom("merge", other)
    assert done.stdout.startswith("1 of 2 entries"), done.stdout
    assert "line 3: version 2 is newer" in done.stderr
    text = users.read_text().splitlines()
    assert '{"half":' in text and json.loads(text[-1])["version"] == 2, text
    assert [json.loads(line) for line in text[:2]] == [fresh, far], text

    # The table, and the lines.
    done = wisdom("show")
    assert len(done.stderr.splitlines()) == 2, done.stderr
    assert done.stdout == """verdict    2 entries

problem    c2c:f64:8x8x8 in=free out=free
ranks      2, at site [1]
choice     via=alltoallw
measured   1.250 ms (1.200 to 1.500), 2024-05-11, tuning=measure

problem    c2c:f64:8x8x8 in=free out=free
ranks      2, at site [2]
choice     via=alltoallv
measured   1.250 ms (1.200 to 1.500), 2024-05-09, tuning=measure

site [1]   Z80, AVX2, an MPI, nodes=1, ranks_per_node=2, placement=block,
           threads=1, weft=1.2.3
site [2]   Z80, AVX2, an MPI, nodes=2, ranks_per_node=1, placement=block,
           threads=1, weft=1.2.3
""", done.stdout
    assert [json.loads(line) for line in wisdom("show", "--lines").stdout.splitlines()] == [fresh, far]
    assert wisdom("show", "--site", "*nodes=2,*").stdout.startswith("verdict    1 entry\n")
    assert wisdom("show", "--problem", "r2c:*").stdout.startswith("verdict    no entries")
    assert wisdom("show", other).stdout.startswith("verdict    2 entries\n")

    # What fits the patterns goes, then lines that are no entries, then all.
    assert wisdom("forget", "--problem", "c2c:*", "--site", "*nodes=2,*").stdout.startswith("1 line ")
    assert json.loads(users.read_text().splitlines()[0]) == fresh
    assert wisdom("forget", "--foreign").stdout.startswith("2 lines ")
    assert kept() == [fresh]
    assert wisdom("forget", "--all").stdout.startswith("1 line ")
    assert users.read_text() == ""
    assert wisdom("show").stdout.startswith("verdict    no entries")

    # Of many lines that are no entries the first few are told, in words without a library's names.
    other.write_text(lines(fresh) + 40 * "no entry\n")
    told = wisdom("show", other).stderr.splitlines()
    assert len(told) == 6 and "line 2: " in told[0] and "exception" not in told[0], told
    assert told[-1].endswith(": 35 lines more are skipped"), told

    # A folder is no file.
    assert "directory" in wisdom("show", variables={**environment, "WEFT_WISDOM": folder}).stderr
    wisdom("merge", other, "--into", folder, code=4)
print("0 failures")
