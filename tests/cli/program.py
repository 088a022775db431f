#!/usr/bin/env python3
"""Other libraries' programs beside weft: `weft bench --against program:NAME=COMMAND`, and each way in which a program
can fail.

usage: program.py WEFT SOURCE LAUNCHER...    as in program.py weft . mpiexec -n
"""
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from expectations import expect, finish

weft, source, launcher = sys.argv[1], Path(sys.argv[2]), sys.argv[3:]
# Debian's package of mpi4py-fft is for Debian's interpreter, which need not be this one.
python = next((name for name in (sys.executable, "/usr/bin/python3")
               if subprocess.run([name, "-c", "import mpi4py_fft"], capture_output=True).returncode == 0),
              sys.executable)
example = (f"program:mpi4py-fft={' '.join(launcher)} {{ranks}} {python} {source}/bench/mpi4py_fft_program.py "
           "{kind} {precision} {shape} {repeat}")


def bench(ranks, problem, *arguments):
    command = [*launcher, str(ranks), weft, "bench", problem, *arguments]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def number(modulus, at):
    def part(l):
        return (l % modulus) ** 2 % modulus / modulus - 0.5
    return complex(part(at), part(at + 500))


def line(signal, **changed):
    """What a program prints of one repeat of a transform of one point, which is its own spectrum."""
    value = signal * number(997, 0)
    pair = [value.real, value.imag]
    return json.dumps({"version": "1.0", "ranks": 2, "forward_s": [0.5], "backward_s": [0.25], "spectrum": pair,
                       "back": pair, **changed})


def check_errors(folder):
    right = line(number(1009, 0))
    fork = f"{folder}/child"
    # A part of the message, the exit code, and the command.
    for text, code, command in (
        ("ended with exit code 7", 4, "echo broken; exit 7"),
        ("'broken'", 4, "printf broken; exit 7"),
        ("ended with exit code 127", 4, "/no/such/program"),
        ("printed no line of JSON, but 'nonsense", 4, "echo nonsense"),
        ("printed no line of JSON, but ''", 4, "true"),
        ("key 'version' not found", 4, "echo '[]'; echo '{\"a\": 1}'"),
        ("forward_s has 1 numbers, not 2", 4, f"echo '{right}' # {{repeat}}"),
        ("forward_s has 0", 4, f"echo '{line(number(1009, 0), forward_s=[0])}'"),
        ("ranks is 1, not 2", 4, f"echo '{line(number(1009, 0), ranks=1)}'"),
        ('"spectrum" is', 1, f"echo '{line(2 * number(1009, 0))}'"),
        ('"back" is', 1, f"echo '{line(number(1009, 0), back=[0, 0])}'"),
        ("only cubes", 3, "echo '{\"cannot\": \"only cubes\"}'"),
        ("took more than 1 s", 4, f"sleep 300 & echo $! > {fork}; wait"),
        ("{n7} is unknown", 2, "echo {n7}"),
    ):
        repeat = "6" if "not 2" in text else "1"
        found, output, errors = bench(2, "1x1x1", "--against", f"program:it={command}", "--repeat", repeat,
                                      "--limit", "1")
        expect(f"exit code {code} of {command}", found == code, f"{found}: {errors}")
        expect(f"said once: {text}", (output + errors).count(text) == 1, output + errors)
    child = Path(fork).read_text(encoding="utf-8").strip()
    for _ in range(100):
        stat = Path(f"/proc/{child}/stat")
        if not stat.exists() or stat.read_text(encoding="utf-8").split()[2] == "Z":
            break
        time.sleep(0.1)
    else:
        expect("what a program started has ended with it", False, child)
    for against in "program:", "program:a", "program:=b", "program:a=":
        found, output, errors = bench(1, "8x8", "--against", against)
        expect(f"{against} is refused", found == 2 and "program:NAME=COMMAND" in output + errors)
    for problem in "8x8*2", "8x8 --axes 0", "8x8 --scale n/none", "c2r:f64:8x8", "4x4x4x4":
        found, output, errors = bench(1, *problem.split(), "--against", "program:it=true")
        expect(f"{problem} is no problem for programs", found == 3 and "programs are asked for" in output + errors,
               output + errors)


def check_report(folder):
    told = f"echo '{line(number(1009, 0))}'; echo {{kind}} {{precision}} {{shape}} {{n0}} {{n1}} {{n2}} {{ranks}} "
    told += f"{{repeat}} ${{HOME:+home}} >> {folder}/turns"
    code, output, errors = bench(2, "c2c:f64:1x1", "--against", f"program:it={told}", "--repeat", "3", "--json")
    expect("a program is timed", code == 0, errors)
    if code:
        return
    ours, theirs = json.loads(output)["results"]
    expect("its name, version and times", (theirs["library"], theirs["versions"]["it"], theirs["forward_s"]["median"],
                                           theirs["backward_s"]["q3"]) == ("it", "1.0", 0.5, 0.25))
    expect("its ratio", theirs["ratio"] == ours["forward_s"]["median"] / 0.5)
    turns = Path(f"{folder}/turns").read_text(encoding="utf-8").split("\n")[:-1]
    expect("it is started for each turn, with its words filled in", turns == 3 * ["c2c f64 1x1 1 1 1 2 1 home"], turns)


def check_mpi4py_fft():
    version = subprocess.run([launcher[0], "--version"], capture_output=True, text=True).stdout
    if "OpenRTE" not in version and "Open MPI" not in version:
        print("skipped: Debian's mpi4py-fft is for Open MPI")
        return
    code, output, errors = bench(1, "8x8", "--against", example, "--repeat", "1")
    if code == 3 and "not installed" in output + errors:
        print(f"skipped: {errors.strip()}")
        return
    for ranks, problem in ((1, "c2c:f64:8x6x5"), (2, "r2c:f64:9x8x7"), (3, "c2c:f32:13x10"), (4, "r2c:f32:8x12x6")):
        code, output, errors = bench(ranks, problem, "--against", example, "--repeat", "2", "--json")
        expect(f"mpi4py-fft beside weft: {problem} on {ranks}", code == 0, errors)
        theirs = json.loads(output)["results"][1] if code == 0 else {}
        expect("its plan and times", "FFTW" in theirs.get("plan", "") and theirs["forward_s"]["median"] > 0)


with tempfile.TemporaryDirectory() as scratch:
    check_errors(scratch)
    check_report(scratch)
check_mpi4py_fft()
finish()
