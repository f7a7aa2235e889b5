#!/usr/bin/env python3
"""The tests of the `tenon` command.

    tests/cli/test_cli.py COMMAND [NAME...]

COMMAND is the built tenon; NAME chooses tests by a part of their names. The last line printed is
"N passed, N failed".
"""
import sys

import harness
import test_check
import test_fetch
import test_import
import test_mcp
import test_openapi
import test_packages
import test_policy
import test_run
import test_search
import test_trace
import test_trust
import test_types
import test_usage


def main(arguments):
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    modules = (test_usage, test_check, test_packages, test_policy, test_fetch, test_run, test_search, test_mcp,
               test_openapi, test_trace, test_types, test_trust, test_import)
    tests = [test for module in modules for test in harness.tests_of(module)]
    wanted = arguments[1:]
    if wanted:
        tests = [test for test in tests if any(name in test.__name__ for name in wanted)]
    return harness.Suite(arguments[0]).run_all(tests)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
