#!/usr/bin/env python3
"""count_tests.py FILE: of what ctest wrote there (--output-junit), the tests that failed with the ends of their
outputs, the slowest, and `N passed, N failed, N skipped`. A process of a suite of GoogleTest (tests/suites.cmake)
counts as the tests that it says it ran."""
import re
import sys
import xml.etree.ElementTree as xml

ENDS = re.compile(r"^\[ +(OK|FAILED|SKIPPED) +\] .*\(\d+ ms\)$", re.MULTILINE)
passed = failed = skipped = 0
slowest = []
for case in xml.parse(sys.argv[1]).getroot().iter("testcase"):
    name, status, text = case.get("name"), case.get("status"), case.findtext("system-out") or ""
    reason = case.find("skipped")
    slowest.append((float(case.get("time")), name))
    if status == "disabled":
        continue
    if status == "notrun" and reason.get("message").startswith("SKIP_"):
        skipped += 1
        continue
    ends = ENDS.findall(text) if re.match(r"(unit|property|threads)\.", name) else ["OK"] * (status == "run")
    passed += ends.count("OK")
    skipped += ends.count("SKIPPED")
    failed += max(ends.count("FAILED"), status != "run")
    if status != "run":
        lines = text.splitlines()[-25:] if reason is None else [reason.get("message")]
        print(f"  FAILED     {name}", *lines, sep="\n    | ")
print("  slowest   ", "; ".join(f"{seconds:.1f} {name}" for seconds, name in sorted(slowest)[:-6:-1]))
print(f"{passed} passed, {failed} failed, {skipped} skipped")
