# Runs the commands that users are told to type: those of the pages, of `weft --help`, and of the
# heads of the examples, as they are printed, in a folder that looks like the source folder after
# ./quickstart. `mpirun` is the launcher of the build's MPI, and no variable of the tests is set.
# Root sources scripts/mpi.sh, as README.md says. Where the tests run as root, another user runs the
# README and the examples as well, without it. Pages run beside each other, each in a folder of its
# own: launching MPI is mostly waiting.
#
# usage: pages.py SOURCE BUILD MPIEXEC [PYTHON PYTHONPATH]
import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

SECONDS_OF_A_PAGE = 500
PAGES_AT_A_TIME = 4
NOBODY = 65534

# What a page may tell to type. A line that starts with another word is no command, and one of those
# that mentions a program of ours nevertheless is an error: nothing escapes.
COMMANDS = re.compile(
    r"""(?:[A-Z][A-Z0-9_]*=\S*\s+)*                      # variables for one command
    (?:(?:\./|build[\w-]*/bin/|bench/)[\w./-]+ |         # programs of this project
       \.(?=\s+\S*\w)|source|export|mpirun[.\w]*|weft|bash|sh|sudo|setsid|apt-get|cmake|ctest|pip|python3?|
       c\+\+|cc|g\+\+|gcc|mpicc[.\w]*|mpicxx[.\w]*|mpif90[.\w]*|pkg-config|git|cd|mkdir)
    (?=\s)""",
    re.VERBOSE,
)
ESCAPED = re.compile(r"\bmpirun\b|build[\w-]*/bin/|^weft\s")

# Commands that are not run here.
LEFT_OUT = [
    (r"^\./quickstart|^\./check|^bash \.ci/run", "are stages of .ci/run, or contain this test"),
    (r"^sudo bench/cluster/cluster", "tests/bench/cluster.sh runs the cluster"),
    (r"bench/model_study", "needs root, a cluster and half an hour"),
    (r"bench/tune_study.py \w+ --json", "needs root, a cluster and hours"),
    (r"bench/tune_study.py .*points.json", "needs what hours of measuring write"),
    (r"^bench/overlap_table.py overlap.json", "needs what a cluster has written"),
    (r"^python3 (bench/plots|-m weft.plot)", "loads matplotlib, which takes seconds each time; tests/site draws"),
    (r"bench/simulated", "needs SimGrid, and half an hour"),
    (r"build/simulated", "needs SimGrid"),
    (r"man -l", "needs man"),
    (r"weft_site", "tests/site builds it"),
    (r"apt-get", "changes the machine"),
    (r"^git clone|FetchContent", "needs the network"),
    (r"^python3 -m venv|pip install|activate$", "tests/python/install.sh runs pip"),
    (r"^(MKLROOT=\S* )?cmake (--build )?--preset|^ctest", "builds everything, or contains this test"),
    (r"^cmake (-S|--install|-B|--build build --parallel)|PKG_CONFIG_PATH|pkg-config",
     "tests/install builds, installs and links"),
    (r"your_program", "needs a program of the reader's; tests/fftw preloads and relinks one"),
    (r"^bench/fftw_preload.py --json", "needs FFTW's MPI library and half an hour"),
    (r"^bench/fastest.py", "needs the sources, and what hours of measuring write"),
    (r"^bench/interleaved_study.py", "needs FFTW's MPI library, an older build and minutes"),
    (r"^bench/node_study.py", "needs MKL, root and a quarter of an hour"),
    (r"^KMP_AFFINITY", "needs MKL"),
    (r"^(?!build/bin/weft (?:explain|predict) ).*space[= ]cuda", "needs a GPU"),
    (r"^mpirun --bind-to core weft bench 1024x1024x1024", "is a job of a cluster"),
    (r"^bench/instruction_count", "needs Valgrind and minutes"),
    (r"program:mpi4py-fft", "needs mpi4py-fft; tests/cli/program.py runs it"),
    (r"bench/packages_study", "needs other packages and minutes; tests/bench counts and races a little"),
    (r"bench/planning_study.py --json|bench/scale_study.py --(json|claims|table)", "takes minutes, or what they write"),
    (r"^bench/planning_study.py --table", "needs what minutes of simulating write"),
    (r"^setsid bash -c 'echo -10", "changes priorities"),
]

# Those that take long are run with smaller numbers.
SHORTENED = [
    (r"^(cmake --build build --target \S+)", r"\1 -- -n"),  # whether there is such a target
    (r"(weft bench .*) --repeat \d+", r"\1"),
    (r"(build/bin/weft bench '?(?:r2c:f32:)?)(?:256x256x256|512x512x512)([^#]*)",
     r"\g<1>32x32x32\2 --repeat 1 "),
    (r"(build/bin/weft exchange(?!.*--compare)(?:(?! +#).)*)",
     r"\1 --repeat 1 --bytes 0,64 --via alltoallv"),
    (r"(build/bin/weft ft --class) A", r"\1 S"),
    (r"(build/bin/weft verify --random) \d+", r"\1 3"),
    (r"(build/bin/weft calibrate[^#]*)", r"\1 --seconds 0.1 "),
    (r"(weft tune) 256x256x256 --limit 10", r"\1 16x16x16 --limit 1"),
    (r"(build/bin/weft engines)(?! --lengths| --why)", r"\1 --lengths 8"),
    (r"(build/bin/exchange_by_hand)", r"\1 --shapes 8x8x8 --repeat 1"),
    (r"(build/bin/node_study)", r"\1 --shapes 16x16x16 --kinds c2c --repeat 1"),
    (r"(build/bin/auto_study)", r"\1 c2c:f64:8x6 --repeat 1"),
    (r"(build/bin/bind_study)", r"\1 --shapes 8x8x8 --repeat 1"),
    (r"(bench/kept_study.py build/bin/weft)", r"\1 --rounds 1 --only 96x96x96"),
    (r"(taylor_green[\w.]*) 64", r"\1 24"),
    (r"(build/bin/scale_study)", r"\1 --only 'long lines, two'"),
    (r"(build/bin/tune_synthetic)(?: --only 0 --seeds \d+)?", r"\1 --only 7 --seeds 1"),
    (r"^build/bin/engine_study(?: lines( --rules))?.*(> \S+)",
     r"build/bin/engine_study lines\1 --lengths 8 --levels L1 --repeat 1 \2"),
]

# Python modules that a command needs.
NEEDS_MODULES = [
    (r"schulz_study", "scipy"),
]


class Command(NamedTuple):
    page: str
    line: int
    text: str


def commands_of(page, numbered_lines, failures):
    """The commands among lines of code; a line that ends with a backslash goes on in the next."""
    found = []
    lines = iter(numbered_lines)
    for number, line in lines:
        text = line.strip()
        while text.endswith("\\"):
            text = text[:-1] + " " + next(lines)[1].strip()
        if COMMANDS.match(text):
            found.append(Command(page, number, text))
        elif ESCAPED.search(text):
            failures.append(f"{page}:{number}: is this a command? {text}")
    return found


def code_of_markdown(text):
    """Numbered lines of indented code and of fenced shell; other languages are for snippets.py."""
    fence = None
    for number, line in enumerate(text.splitlines(), 1):
        opening = re.match(r"\s*```(\w*)", line)
        if opening:
            fence = None if fence is not None else opening.group(1)
        elif fence in ("sh", "bash", "") or (fence is None and line.startswith("    ")):
            yield number, line


def code_of_example(text):
    """The comment, or Python's string, at the head of an example."""
    for number, line in enumerate(text.splitlines(), 1):
        head = re.match(r'(?://|!|/?\s*\*|"""|\s{4}|$)', line)
        if not head:
            return
        yield number, re.sub(r"\*/\s*$", "", line[head.end():] if line[:4].strip() else line)


def examples_of_help(help_text):
    """What follows `Example:`, to the end."""
    parts = re.split(r"^Examples?:", help_text, maxsplit=1, flags=re.MULTILINE)
    return enumerate(parts[1].strip().splitlines(), 1) if len(parts) == 2 else []


def pages(source, failures):
    """Commands by page, without those of --help."""
    result = {}
    for path in [source / "README.md", *sorted((source / "docs").rglob("*.md")),
                 source / "bench" / "README.md", source / "CONTRIBUTING.md"]:
        name = str(path.relative_to(source))
        result[name] = commands_of(name, code_of_markdown(path.read_text()), failures)
    for path in sorted((source / "examples").iterdir()):
        if path.suffix in (".c", ".cpp", ".f90", ".py"):
            name = f"examples/{path.name}"
            result[name] = commands_of(name, code_of_example(path.read_text()), failures)
            if not result[name]:
                failures.append(f"{name} does not say how it is run")
    return result


def help_pages(folder, failures):
    """Those of `weft --help` and of each verb's."""
    def ask(*verb):
        return subprocess.run(["build/bin/weft", *verb, "--help"], cwd=folder, text=True,
                              capture_output=True, check=True).stdout
    whole = ask()
    verbs = re.findall(r"^  ([a-z]+) {2,}", whole.split("Subcommands:")[1], re.MULTILINE)
    result = {}
    for page, text in [("--help", whole), *((f"{verb} --help", ask(verb)) for verb in verbs)]:
        result[page] = commands_of(page, examples_of_help(text), failures)
        if not result[page]:
            failures.append(f"weft {page} shows no example")
    return result


def reason_to_leave_out(command, scene):
    for pattern, reason in LEFT_OUT:
        if re.search(pattern, command.text):
            return reason
    if "python" in command.text and not scene.python:
        return "the Python package is not built"
    if (re.search(r"\.f90$|/fortran\.md$", command.page) or re.search(r"example_\w+_f\b", command.text)) \
            and not scene.fortran:
        return "the Fortran modules are not built"
    for command_of_it, module in NEEDS_MODULES:
        if re.search(command_of_it, command.text) and not scene.has_module(module):
            return f"needs {module}"
    if "fftw-mpi" in command.text and not scene.fftw_mpi:
        return "FFTW's MPI library is not there, or of another MPI"
    if scene.user and command.text.startswith(("cmake", ". ", "source ")):
        return "as root only"
    return None


def shortened(text):
    for pattern, replacement in SHORTENED:
        text = re.sub(pattern, replacement, text)
    return text


class Scene:
    """A folder that looks like the source folder after ./quickstart, and what can run there.

    Of another user's folder everything is a copy, since the source may not be for others to read."""

    def __init__(self, arguments, folder, user=False):
        self.source, self.build = Path(arguments[0]), Path(arguments[1])
        self.folder, self.user = folder, user
        self.python = len(arguments) > 3 and not user
        self.fortran = (self.build / "bin" / "example_slab_f").exists()
        self.interpreter = arguments[3] if self.python else None
        for name in ("README.md", "bench", "docs", "examples", "scripts"):
            self.place(self.source / name, folder / name)
        if user:
            self.copy_programs()
        else:
            (folder / "build").symlink_to(self.build)
        programs = folder / "programs"
        programs.mkdir()
        # Named by its whole path, Open MPI's launcher looks for programs beside itself first.
        launcher = Path(arguments[2])
        if shutil.which(launcher.name) == str(launcher):
            launcher = launcher.name
        script(programs / "mpirun", f'exec {shlex.quote(str(launcher))} "$@"')
        if self.python:
            for name in ("python", "python3"):
                script(programs / name, f"PYTHONPATH={shlex.quote(arguments[4])} "
                                        f'exec {shlex.quote(arguments[3])} "$@"')
        if user:
            for path in [folder, *folder.rglob("*")]:
                os.chown(path, NOBODY, NOBODY)

    @functools.cached_property
    def fftw_mpi(self):
        return b"fftw-mpi is not" not in subprocess.run(
            ["build/bin/weft", "bench", "8x8", "--against", "fftw-mpi", "--repeat", "1"],
            cwd=self.folder, env=self.environment(), capture_output=True).stderr

    @functools.lru_cache
    def has_module(self, name):
        return self.python and subprocess.run([self.interpreter, "-c", f"import {name}"],
                                              capture_output=True).returncode == 0

    def place(self, original, to):
        if self.user:
            shutil.copytree(original, to) if original.is_dir() else shutil.copy(original, to)
        else:
            to.symlink_to(original)

    def copy_programs(self):
        (self.folder / "build" / "bin").mkdir(parents=True)
        for path in (self.build / "bin").iterdir():
            if path.name == "weft" or path.name.startswith("example_"):
                shutil.copy(path, self.folder / "build" / "bin")

    def environment(self):
        """That of a shell that nobody has prepared."""
        kept = {name: value for name, value in os.environ.items()
                if not re.match("OMPI_|PRTE_|PMIX_|MPIR_|WEFT_|LD_PRELOAD|LSAN_|CTEST", name)}
        kept["PATH"] = f"{self.folder / 'programs'}:{os.environ['PATH']}"
        # What commands remember is not for the files of whoever runs the tests.
        kept["XDG_DATA_HOME"] = str(self.folder / "data")
        # Launches that begin and end at one time would share Open MPI's folder of sessions, which
        # the last of them to end removes while another begins.
        kept["TMPDIR"] = str(self.folder)
        if self.user:
            kept["HOME"] = str(self.folder)
        return kept

    def run(self, page, commands, prepared):
        """Runs a page's commands in one shell; with their exit statuses, or None
        where the shell did not come to the end of one, seconds and outputs."""
        lines = [". scripts/mpi.sh"] if prepared else []
        for number, command in commands:
            lines += [f"echo; echo '@ {number}'; SECONDS=0", shortened(command.text),
                      f"echo '@ {number}' $? $SECONDS s"]
        path = self.folder / "page.sh"
        path.write_text("exec 2>&1\n" + "\n".join(lines) + "\n")
        as_user = ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups"]
        done = subprocess.run(
            [*(as_user if self.user else []), "timeout", "-k", "10", str(SECONDS_OF_A_PAGE),
             "bash", "page.sh"],
            cwd=self.folder, env=self.environment(), stdin=subprocess.DEVNULL, text=True,
            stdout=subprocess.PIPE, errors="replace")
        for number, command in commands:
            found = re.search(rf"^@ {number}$\n(.*?)(?:^@ {number} (\d+) (\d+ s)$|\Z)", done.stdout,
                              re.MULTILINE | re.DOTALL)
            output, status, seconds = found.groups() if found else (done.stdout, None, None)
            yield command, status, seconds, output


def script(path, text):
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


def run_page(scene, page, commands, who):
    """Runs what can be run of a page; a line of each command, and what those that failed printed."""
    # As root Open MPI does not start without; README.md says so itself.
    needs_mpi_script = os.geteuid() == 0 and not scene.user
    chosen, lines, failed = [], [], []
    for command in commands:
        reason = reason_to_leave_out(command, scene)
        if reason:
            lines.append(f"left out  {command.page}:{command.line}: {command.text}\n          {reason}")
        else:
            chosen.append((len(chosen), command))
    prepared = needs_mpi_script and page not in ("README.md", "docs/install.md")
    for command, status, seconds, output in scene.run(page, chosen, prepared):
        right = status == "0"
        name = f"{who}{command.page}:{command.line}: {command.text}"
        lines.append(f"{'right' if right else 'FAILED'}, {seconds}  {name}")
        if not right:
            failed.append(f"{name}\n  run as  {shortened(command.text)}\n  exit status {status}\n{output[-3000:]}")
    return lines, failed


def jobs_of(arguments, all_pages, user=False):
    """What runs pages: each in a scene of its own, except those of another user, who has copies of the programs."""
    jobs = [[page] for page in all_pages]
    if user:
        jobs = [[page for page in all_pages if page == "README.md" or page.startswith("examples/")]]

    def run_job(job):
        with tempfile.TemporaryDirectory(dir="/tmp") as folder:
            scene = Scene(arguments, Path(folder), user)
            return [run_page(scene, page, all_pages[page], "as nobody, " if user else "") for page in job]

    return [functools.partial(run_job, job) for job in jobs]


def main(arguments):
    failures = []
    with tempfile.TemporaryDirectory(dir="/tmp") as folder:
        scene = Scene(arguments, Path(folder))
        all_pages = {**pages(scene.source, failures), **help_pages(scene.folder, failures)}
    for page, least in (("README.md", 8), ("docs/bench.md", 6), ("--help", 5)):
        if len(all_pages[page]) < least:
            failures.append(f"only {len(all_pages[page])} commands were found in {page}")
    jobs = jobs_of(arguments, all_pages)
    if os.geteuid() == 0 and len(os.sched_getaffinity(0)) >= 2:
        jobs = jobs_of(arguments, all_pages, user=True) + jobs
    all_lines = []
    with ThreadPoolExecutor(PAGES_AT_A_TIME) as pool:
        for done in [pool.submit(job) for job in jobs]:
            for lines, failed in done.result():
                all_lines += lines
                failures += failed
    print("\n".join([*failures, "", *all_lines, f"{len(failures)} failures"]))
    return failures != []


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
