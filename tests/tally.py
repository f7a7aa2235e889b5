"""Counting for scripts that test a program by talking to it: the last line is "N passed, N failed"."""
import sys

passed = failed = 0


def check(what, good, *shown):
    global passed, failed
    if good:
        passed += 1
    else:
        failed += 1
        print("FAILED:", what, *[str(one)[:1500] for one in shown], flush=True)
    return good


def finish():
    print("%d passed, %d failed" % (passed, failed))
    sys.exit(0 if failed == 0 and passed > 0 else 1)
