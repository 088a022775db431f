"""clang-tidy on what SOURCE/build was built of, several files at a time. Kernels are the same text for each
instruction set and precision, of which one is read.
usage: tidy.py SOURCE SCRATCH"""
import json
import os
import re
import subprocess
import sys
from multiprocessing.pool import ThreadPool
from pathlib import Path

source, scratch = sys.argv[1:]
each = {}
for command in json.loads(Path(source, "build", "compile_commands.json").read_text()):
    each.setdefault(command["file"], command)
Path(scratch, "compile_commands.json").write_text(json.dumps(list(each.values())))

files, seen = [], set()
for file in sorted(each):
    is_unity = "/Unity/unity_" in file
    if file.endswith(".f90") or not (is_unity or re.match(rf"{re.escape(source)}/(?!build|include|examples|fortran|\.)", file)):
        continue
    texts = set(re.findall(r'#include "([^"]+)"', Path(file).read_text())) if is_unity else {file}
    if not texts <= seen:
        files.append(file)
    seen |= texts
print(f"{len(files)} files")
assert len(files) > 50


def check(file):
    # The commands are GCC's: Clang does not know all of its options.
    run = subprocess.run([f"{scratch}/venv/bin/clang-tidy", "-p", scratch, "--quiet", "--extra-arg=-Wno-unknown-warning-option",
                          "--extra-arg=-Wno-unused-command-line-argument", "--extra-arg=-Wno-error", file], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = re.sub(r"^\d+ warnings? (and \d+ errors? )?generated\.\n", "", run.stdout, flags=re.MULTILINE)
    if run.returncode:
        print(f"{file}:\n{text}", flush=True)
    return run.returncode != 0


# As many at a time as there are cores.
sys.exit(any(ThreadPool(os.cpu_count()).map(check, files, chunksize=1)))
