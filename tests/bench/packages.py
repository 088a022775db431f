#!/usr/bin/env python3
"""packages_study.py on small problems: what it records, and that weft sends what `weft explain --volume` says.

usage: packages.py SOURCE WEFT TRAFFIC LAUNCHER...
"""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

source, weft, traffic, launcher = Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4:]
python = next((name for name in (sys.executable, "/usr/bin/python3")
               if subprocess.run([name, "-c", "import mpi4py_fft"], capture_output=True).returncode == 0), None)
version = subprocess.run([launcher[0], "--version"], capture_output=True, text=True).stdout
mpi4py_fft = python and ("OpenRTE" in version or "Open MPI" in version)
if not mpi4py_fft:
    print("without mpi4py-fft, which is not installed or is another MPI's")


def study(*arguments):
    programs = []
    if mpi4py_fft:
        programs = ["--program", f"mpi4py-fft={' '.join(launcher)} {{ranks}} {python} "
                    f"{source}/bench/mpi4py_fft_program.py {{kind}} {{precision}} {{shape}} {{repeat}}"]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, source / "bench/packages_study.py", *arguments, *programs, "--launch",
                   " ".join(launcher), "--json", f"{folder}/study.json"]
        done = subprocess.run(command, capture_output=True, text=True)
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(Path(f"{folder}/study.json").read_text(encoding="utf-8"))


volumes = study("volume", weft, "--traffic", traffic, "--problems", "c2c:f64:16x12x10 r2c:f64:9x8x7", "--ranks",
                "2,3,4")
found = {(case["problem"], case["ranks"], case["library"]): case for case in volumes["cases"]}
assert len(found) == (12 if mpi4py_fft else 6), found
for (problem, ranks, library), case in found.items():
    assert library != "weft" or case["bytes"] == case["weft_theory_bytes"] > 0, case
# Half of the 16 x 12 x 10 complex numbers change their rank of two.
assert found["c2c:f64:16x12x10", 2, "weft"]["bytes"] == 16 * 12 * 10 * 16 // 2
assert not mpi4py_fft or found["c2c:f64:16x12x10", 2, "mpi4py-fft"]["bytes"] == 16 * 12 * 10 * 16 // 2

if mpi4py_fft:
    raced = study("race", weft, "--problems", "r2c:f64:8x8x8", "--rounds", "2", "--repeat", "1")
    libraries = {(case["library"], case["direction"]) for case in raced["cases"]}
    assert libraries == {(name, way) for name in ("fftw-mpi", "mpi4py-fft") for way in ("forward", "backward")}
    for case in raced["cases"]:
        assert case["ratio"] > 0 and case["fftw_version"].startswith("fftw-3") and "FFTW" in case["plan"], case
    assert raced["processor"] and raced["versions"]["weft"], raced
print("2 studies passed" if mpi4py_fft else "1 study passed")
