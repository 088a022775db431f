"""Runs programs one after the other, each for a limited time, and keeps what they printed."""
import os
import re
import shlex
import signal
import subprocess
import time


def word_of(output):
    """The line that says what went wrong: weft's, or else the first that has words."""
    lines = [line.strip() for line in output.splitlines() if re.search(r"[a-z]", line)]
    own = [line for line in lines if re.match(r"weft: ", line)]
    return (own + lines + ["no word"])[0][:300]


class Runner:
    """`step` runs a program and records how it went; it never raises.

        found = runner.step("verify c2c", [runner.weft, "verify", "8x8"], ranks=2)
        if found["ok"]: print(found["output"])
    """

    def __init__(self, source, out, space, limit):
        self.source, self.out, self.space, self.limit = source, out, space, limit
        self.begin = time.monotonic()
        self.stage_end = limit  # seconds from the begin until which steps may run
        self.steps = []
        self.after_step = lambda: None
        self.mpi_reaches = False  # whether MPI reaches the device's memory
        self.environment = dict(os.environ)
        self.weft = os.path.join(source, "bin", "weft")
        self.log = open(os.path.join(out, "gpu.log"), "w", encoding="utf-8")

    def elapsed(self):
        return time.monotonic() - self.begin

    def left(self):
        return min(self.limit, self.stage_end) - self.elapsed()

    def begin_stage(self, seconds):
        """The steps from now on take at most so long together, unless software computes them."""
        self.stage_end = self.limit if self.space == "emulated" else self.elapsed() + seconds

    def launched(self, command, ranks):
        if ranks is None:
            return command
        return self.launcher + ["-n", str(ranks)] + command

    @property
    def launcher(self):
        return [self.environment.get("WEFT_GPU_MPIEXEC", "mpiexec")]

    def step(self, name, command, ranks=None, seconds=60, extra=None):
        """Stops what takes longer than `seconds`; leaves out what there is no time for."""
        found = self.run_step(name, command, ranks, seconds, extra)
        self.after_step()
        return found

    def run_step(self, name, command, ranks, seconds, extra):
        command = self.launched(command, ranks)
        # Without folders, which are this machine's.
        words = [os.path.basename(word) if os.path.isabs(word) else word for word in command]
        record = {"name": name, "command": shlex.join(words), "ok": False}
        self.steps.append(record)
        if self.left() < 2:
            record["why"] = "no time was left"
            return dict(record, output="")
        begin = time.monotonic()
        # How long software takes is the machine's business.
        limit = self.left() if self.space == "emulated" else min(seconds, self.left())
        output, code, late = self.call(command, limit, extra or {})
        record["seconds"] = round(time.monotonic() - begin, 3)
        record["code"] = code
        record["ok"] = code == 0 and not late
        if late:
            record["why"] = f"stopped after {record['seconds']:.0f} s"
        elif code != 0:
            record["why"] = word_of(output)
        state = "ok" if record["ok"] else "FAILED: " + record["why"]
        print(f"{self.elapsed():6.1f} s  {name:<58} {state}", flush=True)
        self.log.write(f"$ {shlex.join(command)}\n{output}\n[{name}: {state}]\n\n")
        self.log.flush()
        return dict(record, output=output)

    def call(self, command, seconds, extra):
        """The output, the exit code, and whether it was stopped for its time."""
        try:
            process = subprocess.Popen(command, env=dict(self.environment, **extra),
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT, text=True, errors="replace",
                                       start_new_session=True)
        except OSError as error:
            return str(error), 127, False
        try:
            output, _ = process.communicate(timeout=seconds)
            return output, process.returncode, False
        except subprocess.TimeoutExpired:
            return self.stop(process), process.returncode, True

    def stop(self, process):
        """Ends a launcher and all that it has started; what they had printed. What the driver holds
        back even from SIGKILL is left behind, since the next steps have their time too."""
        output = ""
        for end, patience in ((signal.SIGTERM, 3), (signal.SIGKILL, 3), (signal.SIGKILL, 3)):
            for pid in session_of(process.pid):
                try:
                    os.kill(pid, end)
                except ProcessLookupError:
                    pass
            try:
                return process.communicate(timeout=patience)[0]
            except subprocess.TimeoutExpired as late:
                printed = late.output or b""
                output = printed if isinstance(printed, str) else printed.decode(errors="replace")
        process.stdout.close()
        return output


def session_of(leader):
    """Processes of that session, in which ranks may have groups of their own; not what has ended."""
    found = []
    for name in os.listdir("/proc"):
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8", errors="replace") as file:
                state, _, _, session = file.read().rpartition(")")[2].split()[:4]
        except (OSError, ValueError):  # No process, or no more.
            continue
        if int(session) == leader and state not in "ZX":
            found.append(int(name))
    return found
