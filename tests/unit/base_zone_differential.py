#!/usr/bin/env python3
"""Compare base/zone with Python's zoneinfo on every zone of this machine.

usage: base_zone_differential.py PATH-TO-base_zone [INSTANTS-PER-ZONE [EVERY-NTH-ZONE]]

Instants are drawn over 1850 to 2400, and around every change of offset between 1900 and 2100.
"""
import datetime
import os
import random
import subprocess
import sys
import zoneinfo

EPOCH = datetime.datetime(1970, 1, 1)
ROOT = "/usr/share/zoneinfo"


def utc_offset(zone, seconds):
    moment = datetime.datetime.fromtimestamp(seconds, datetime.timezone.utc)
    return int(moment.astimezone(zone).utcoffset().total_seconds())


def local_offset(zone, seconds):
    moment = EPOCH + datetime.timedelta(seconds=seconds)
    return int(moment.replace(tzinfo=zone, fold=0).utcoffset().total_seconds())


def changes(zone):
    """Instants at which the offset changes, found by halving between two-week steps."""
    step = 14 * 86400
    for low in range(-2208988800, 4102444800, step):
        high = low + step
        if utc_offset(zone, low) == utc_offset(zone, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            if utc_offset(zone, middle) == utc_offset(zone, low):
                low = middle
            else:
                high = middle
        yield high


def instants(zone, count):
    for _ in range(count):
        yield random.randrange(-3786825600, 13569465600)
    found = list(changes(zone))
    for change in random.sample(found, min(len(found), count)):
        for around in (-90000, -7200, -3600, -1800, -1, 0, 1, 1800, 3600, 7200, 90000):
            yield change + around
            yield change + around + utc_offset(zone, change - 1)


def main():
    count = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    every = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    random.seed(1)
    # Read what the program reads, not a copy that Python may carry.
    zoneinfo.reset_tzpath([ROOT])
    names = sorted(n for n in zoneinfo.available_timezones()
                   if os.path.exists(os.path.join(ROOT, n)))
    passed = failed = 0
    for name in names[::every]:
        with open(os.path.join(ROOT, name), "rb") as file:
            zone = zoneinfo.ZoneInfo.from_file(file)
        asked, expected = [], []
        for seconds in instants(zone, count):
            asked.append(f"{name} {seconds * 1000} 0")
            expected.append(utc_offset(zone, seconds))
            asked.append(f"{name} {seconds * 1000} 1")
            expected.append(local_offset(zone, seconds))
        answers = subprocess.run([sys.argv[1], "--lines"], input="\n".join(asked), text=True,
                                 capture_output=True, check=True).stdout.split()
        assert len(answers) == len(asked)
        wrong = [(q, a, e) for q, a, e in zip(asked, answers, expected) if int(a) != e * 1000]
        for question, answer, want in wrong[:3]:
            print(f"{question}: got {answer}, want {want * 1000}", file=sys.stderr)
        failed += bool(wrong)
        passed += not wrong
    print(f"{passed} passed, {failed} failed")
    return failed != 0


sys.exit(main())
