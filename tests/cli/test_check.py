"""`tenon check`: what is found, for people and for editors."""
import json
import os
import tempfile

HAS_COMPILER = bool(os.environ.get("TENON_TSC"))


def write(folder, name, text):
    path = os.path.join(folder, name)
    with open(path, "wb") as file:
        file.write(text if isinstance(text, bytes) else text.encode())
    return path


def lines_of(result):
    return [json.loads(line) for line in result.out.splitlines()]


def test_lsp(t):
    with tempfile.TemporaryDirectory() as folder:
        wrong = write(folder, "a b\u00e9.ts", "const a = 1;\nconst \U0001d4b3 = (1 + 2;\n")
        clean = write(folder, "clean.ts", "1 + 1;\n")
        result = t.run("check", "--lsp", wrong, clean)
        t.ends("findings for an editor", result, 3, err="")
        first, second = lines_of(result)
        t.equal("a file's address", first["uri"],
                "file://" + os.path.realpath(folder) + "/a%20b%C3%A9.ts")
        found = first["diagnostics"][0]
        t.equal("a range", found["range"], {"start": {"line": 1, "character": 17},
                                            "end": {"line": 1, "character": 18}})
        t.equal("what it is", (found["severity"], found["code"], found["source"]),
                (1, "TS1005", "tenon"))
        t.equal("nothing found", [d for d in second["diagnostics"] if d["severity"] < 3], [])
    result = t.run("check", "--lsp", "-e", "async function f() {}\nf();\nreturn 1;")
    t.ends("a warning is no error", result, 0, err="")
    only = lines_of(result)[0]
    t.equal("no file", only["uri"], "untitled:program.ts")
    t.check("severity of a warning", any(d["severity"] == 2 for d in only["diagnostics"]), only)


def test_lsp_checked(t):
    if not HAS_COMPILER:
        return
    with tempfile.TemporaryDirectory() as folder:
        declared = write(folder, "d.d.ts", "declare const n: Numbr;\ndeclare const user: {name: 1};")
        program = write(folder, "p.ts", "user.nam;\n")
        result = t.run("check", "--lsp", "--checker", "tsc", program, program, "--declare", declared,
                       "--expect", "Nope")
        t.ends("findings in declarations too", result, 3, err="")
        first, other, again = lines_of(result)
        t.equal("the same each time", first, again)
        t.check("the declaration file", other["uri"].endswith("/d.d.ts"), other)
        t.equal("its finding", other["diagnostics"][0]["range"]["start"],
                {"line": 0, "character": 17})
        mistyped = [d for d in first["diagnostics"] if d["code"] == "TS2551"][0]
        t.equal("an edit", mistyped["data"]["edit"],
                {"range": mistyped["range"], "newText": "name"})
        contract = [d for d in first["diagnostics"] if d["code"] == "TN1124"][0]
        t.equal("the contract has no place", contract["range"]["end"], {"line": 0, "character": 0})


def test_contracts(t):
    if not HAS_COMPILER:
        return

    def found(*args):
        result = t.run("check", "--checker", "tsc", "--json", *args)
        return [(f["code"], f.get("file"), f["line"], f["column"])
                for f in json.loads(result.out)["files"][0]["findings"]]

    rows = ("--input", '{"rows": [{"n": 1}, {"n": "2"}]}')
    t.equal("an input of another type", found("-e", "rows.length", *rows, "--input-type",
                                              "{ rows: { n: number }[] }"),
            [("TN1125", "the input", 1, 1)])
    t.equal("a type that is unknown", found("-e", "rows.length", *rows, "--input-type",
                                            "{ rows: Row[] }"),
            [("TN1124", "the type of the input", 1, 9)])
    t.equal("a type of the program's", found("-e", "type Row = {}; rows.length", *rows,
                                             "--input-type", "{ rows: Row[] }"), [])
    for text in ("string } ; evil(", "any; //", "any;", "/* x", ""):
        codes = found("-e", "return 1", "--expect", text)
        t.equal("no way out of --expect: " + text, [(c[0], c[1]) for c in codes],
                [("TN1124", "the expected type")])


def test_time_of_the_check(t):
    """The limits of a run are not those of its check."""
    codes = [t.run("run", "--wall", "30ms", "-e", "const a: number = 1; a").code
             for _ in range(8 if HAS_COMPILER else 0)]
    t.check("a short run, on a machine that is busy at times", not codes or 0 in codes, codes)


def test_first_line(t):
    """`#!` may stand there, in every form of a program, and counts as a line."""
    head = "#!/usr/bin/env -S tenon run\n"
    with tempfile.TemporaryDirectory() as folder:
        for text in ("const a = 2;\na + 1;\n", "const a = 2;\nreturn a + 1;\n",
                     "export default 3;\n", "type A = 1;\r\n3;"):
            for name in ("x.ts", "x.js") if "type" not in text else ("x.ts",):
                t.ends("%s: %r" % (name, text), t.run("run", write(folder, name, head + text)), 0,
                       out="3\n", err="")
            t.ends("-e: %r" % text, t.run("run", "-e", head + text), 0, out="3\n", err="")
            t.ends("-: %r" % text, t.run("run", "-", stdin=(head + text).encode()), 0, out="3\n", err="")
        result = t.run("check", "--json", "-e", head + "const a = 1;\nreturn a.b;")
        found = json.loads(result.out)["files"][0]["findings"]
        if HAS_COMPILER:
            t.equal("its place", [(f["code"], f["line"], f["column"]) for f in found],
                    [("TS2339", 3, 10)])


def test_other_language(t):
    """It is said first, whatever the program came as."""
    python = "def main():\n    for i in [1]:\n        print(f'{i}')\nmain()\n"
    for args in (("-e", python), ("-",)):
        result = t.run("check", "--json", *args, stdin=python.encode() if args == ("-",) else None)
        found = json.loads(result.out)["files"][0]["findings"]
        t.equal("another language", found[0]["code"], "TN1003")
        t.check("and its odd tokens", any(f["code"].startswith("TS") for f in found), found)


def test_columns(t):
    """Editors count UTF-16 units, people count characters; in a run as in a check."""
    text = 'const s = "\U0001F600\u00e9"; s.foo'
    found = t.run("check", "-e", text, "--checker", "tsc")
    t.matches("for people", found.err + found.out, r"\Aprogram\.ts:1:19: error TS2339")
    told = json.loads(t.run("check", "--json", "-e", text, "--checker", "tsc").out)
    t.equal("for editors", told["files"][0]["findings"][0]["column"], 20)
    thrown = t.run("run", "-e", text + ".bar")
    t.matches("of an error", thrown.err, r"\Aprogram\.ts:1:17: TypeError")
    told = json.loads(t.run("run", "--json", "-e", text + ".bar").out)
    t.equal("and of its JSON", told["error"]["column"], 18)


def test_odd_text(t):
    """What is wrong with a text as a whole is said once, and shown so that nothing is obeyed."""
    fences = "Here is one:\n\n```ts\nconst a = 1;\n```\n\nand the other:\n\n```ts\na;\n```\n"
    inside = "const doc = `\n```ts\na\n```\n```ts\nb\n```\n`; let b = ;\n"
    long = "let total = 0; " + "total += 1; " * 300 + "let x = ; " + "total += 2; " * 300
    cases = (
        (b"const a = 1;\nlet b\0 = 'x\0y';\n", "TN1110", 2, 6, "let b\\x00 = 'x\\x00y';"),
        (b'const a = "\xff\x1b[31m"; b\xffc = ;\n', "TS1490", 1, 12, '"\\xff\\x1b[31m"; b\\xffc'),
        (fences, "TN1111", 9, 1, "> 9 | ```ts"),
        (long, "TS1109", 1, 15 + 3600 + 9, "total += 1; let x = ; total"),
    )
    with tempfile.TemporaryDirectory() as folder:
        for text, code, line, column, shown in cases:
            result = t.run("check", write(folder, "odd.ts", text))
            first = result.out.split("\n")
            t.check("%s of %r" % (code, text[:20]), first[0].startswith(
                "odd.ts:%d:%d: error %s: " % (line, column, code)) or first[0].startswith(
                "%s/odd.ts:%d:%d: error %s: " % (folder, line, column, code)), result)
            t.check("shown: " + shown, shown in first[1] and len(first[1]) < 140, result)
            t.check("nothing to obey", not any(ord(c) < 32 and c != "\n" for c in result.out), result)
            t.equal("one finding", result.out.count("error T"), 1, result)
        result = t.run("check", write(folder, "odd.js", fences))
        t.check("fences in JavaScript", "odd.js:9:1: error TN1111: " in result.out, result)
        result = t.run("check", "--json", write(folder, "inside.ts", inside))
        codes = [f["code"] for f in json.loads(result.out)["files"][0]["findings"]]
        t.check("fences in a template are the program's", "TN1111" not in codes and codes, result)
