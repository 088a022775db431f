#!/usr/bin/env python3
"""What tests/gpu/run relies on: a program that hangs, one that ignores SIGTERM and one that fails
are told and ended, and the steps after them run."""
import json
import os
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "steps"))

import report  # noqa: E402
from runner import Runner, session_of  # noqa: E402


def expect(holds, what):
    if not holds:
        sys.exit(f"not so: {what}")


def main():
    with tempfile.TemporaryDirectory() as out:
        runner = Runner("/nowhere", out, "cuda", 600)
        results = {}

        def save():
            report.save(out, dict(results, steps=runner.steps))

        runner.after_step = save
        pids = os.path.join(out, "pids")
        # On a busy machine some may be ended before they come to their second word.
        for name, script in (("hangs", "sleep 1000"),
                             ("ignores SIGTERM", "trap '' TERM; while :; do sleep 1; done"),
                             ("has groups", "set -m; sleep 1000 & wait")):
            found = runner.step(name, ["bash", "-c", f"echo $$ >>{pids}; {script}"], seconds=1)
            expect(not found["ok"] and "stopped after" in found["why"], f"{name} is stopped")
        with open(pids, encoding="utf-8") if os.path.exists(pids) else open(os.devnull) as begun:
            sessions = [int(pid) for pid in begun]
        for _ in range(300):
            if any(session_of(pid) for pid in sessions):
                time.sleep(0.1)
        expect(not any(session_of(pid) for pid in sessions), "nothing of them is left")
        expect(not runner.step("fails", ["sh", "-c", "echo weft: so; exit 3"])["ok"], "a failure")
        expect(runner.steps[-1]["why"] == "weft: so", "its reason")
        expect(runner.step("is not there", ["/nowhere/program"])["code"] == 127, "a missing program")
        runner.begin_stage(0)
        expect("no time" in runner.step("late", ["true"])["why"], "a stage without time")
        runner.begin_stage(300)
        expect(runner.step("next", ["true"])["ok"], "the next stage runs")
        with open(os.path.join(out, "gpu.json"), encoding="utf-8") as file:
            written = json.load(file)["steps"]
        expect([step["ok"] for step in written] == 6 * [False] + [True], "all is written")


if __name__ == "__main__":
    main()
