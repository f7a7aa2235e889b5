#!/usr/bin/env python3
"""Do real outcomes fit docs/outcome.schema.json?

usage: outcome_schema.py PATH-TO-outcome SCHEMA

The outcomes are those of the unit test, one a line. The keywords that the schema uses are all that
is understood here; another one is an error, so that nothing passes for not being looked at.
"""
import json
import re
import subprocess
import sys

TYPES = {"null": type(None), "boolean": bool, "number": (int, float), "integer": int,
         "string": str, "array": list, "object": dict}
SILENT = {"$schema", "title", "description", "$defs"}


def is_type(value, name):
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


class Schema:
    def __init__(self, root):
        self.root = root

    def faults(self, schema, value, path):
        if schema is True or schema is False:
            return [] if schema else [f"{path}: not allowed"]
        found = []
        for keyword, rule in schema.items():
            if keyword in SILENT:
                continue
            check = getattr(self, "check_" + keyword.replace("$", ""), None)
            if check is None:
                raise SystemExit(f"keyword {keyword} is not understood")
            found += check(rule, value, path, schema)
        return found

    def check_ref(self, rule, value, path, _):
        target = self.root
        for step in rule.removeprefix("#/").split("/"):
            target = target[step]
        return self.faults(target, value, path)

    def check_type(self, rule, value, path, _):
        names = rule if isinstance(rule, list) else [rule]
        return [] if any(is_type(value, n) for n in names) else [f"{path}: not {rule}"]

    def check_const(self, rule, value, path, _):
        return [] if value == rule else [f"{path}: not {rule!r}"]

    def check_enum(self, rule, value, path, _):
        return [] if value in rule else [f"{path}: none of {rule}"]

    def check_minimum(self, rule, value, path, _):
        return [f"{path}: below {rule}"] if is_type(value, "number") and value < rule else []

    def check_pattern(self, rule, value, path, _):
        bad = isinstance(value, str) and not re.search(rule, value)
        return [f"{path}: does not match {rule}"] if bad else []

    def check_anyOf(self, rule, value, path, _):
        tried = [self.faults(option, value, path) for option in rule]
        return [] if any(not t for t in tried) else min(tried, key=len)

    def check_items(self, rule, value, path, _):
        items = value if isinstance(value, list) else []
        return [f for i, item in enumerate(items) for f in self.faults(rule, item, f"{path}[{i}]")]

    def check_minItems(self, rule, value, path, _):
        return [f"{path}: too short"] if isinstance(value, list) and len(value) < rule else []

    def check_maxItems(self, rule, value, path, _):
        return [f"{path}: too long"] if isinstance(value, list) and len(value) > rule else []

    def check_required(self, rule, value, path, _):
        members = value if isinstance(value, dict) else rule
        return [f"{path}: {name} is missing" for name in rule if name not in members]

    def check_properties(self, rule, value, path, _):
        members = value if isinstance(value, dict) else {}
        return [f for name, sub in rule.items() if name in members
                for f in self.faults(sub, members[name], f"{path}.{name}")]

    def check_additionalProperties(self, rule, value, path, schema):
        members = value if isinstance(value, dict) else {}
        return [f for name in members if name not in schema.get("properties", {})
                for f in self.faults(rule, members[name], f"{path}.{name}")]


def refuses_wrong_ones(schema, outcome):
    """The check itself can fail."""
    wrong = [dict(outcome, status="fine"), dict(outcome, more=1), dict(outcome, console=[1]),
             dict(outcome, value={"$type": "date"}), dict(outcome, value={"$type": "other"}),
             {k: v for k, v in outcome.items() if k != "usage"}]
    return [w for w in wrong if not schema.faults(schema.root, w, "$")]


def main():
    with open(sys.argv[2], encoding="utf-8") as file:
        schema = Schema(json.load(file))
    lines = subprocess.run([sys.argv[1], "--lines"], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    passed = failed = 0
    for line in lines:
        faults = schema.faults(schema.root, json.loads(line), "$")
        for fault in faults[:5]:
            print(f"{fault}\n  in {line[:300]}", file=sys.stderr)
        failed += bool(faults)
        passed += not faults
    accepted = refuses_wrong_ones(schema, json.loads(lines[0]))
    for outcome in accepted:
        print(f"accepted though wrong: {str(outcome)[:300]}", file=sys.stderr)
    failed += bool(accepted) + (len(lines) < 10)
    print(f"{passed} passed, {failed} failed")
    return failed != 0


if __name__ == "__main__":
    sys.exit(main())
