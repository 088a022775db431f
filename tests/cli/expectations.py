"""What the tests of the command expect of it, and how many expectations were not met."""
import sys

failures = 0


def expect(what, right, shown=""):
    """Tells a claim and whether it holds; what was shown instead where it does not."""
    global failures
    failures += not right
    print(f"{'right ' if right else 'FAILED'}  {what} {'' if right else shown}".rstrip())


def require(right, message):
    """Tells only what is wrong: for claims of which there are hundreds."""
    global failures
    failures += not right
    if not right:
        print("FAILED ", message)


def finish():
    """Ends the test."""
    print(f"{failures} failures")
    sys.exit(failures > 0)
