"""The command line itself: help, complaints, and that all that is written about it agrees."""
import os
import re
import shutil
import subprocess

from harness import ROOT, skip

COMMANDS = ("run", "check", "search", "describe", "types", "prompt", "mcp", "trust", "trace", "doctor", "completion", "help", "version")
COMPLETIONS = {"bash": "tenon.bash", "zsh": "_tenon", "fish": "tenon.fish"}


def source(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def options_in(text):
    return set(re.findall(r"(?<![\w-])--([a-z][a-z-]+)", text))


def options_listed(help_text):
    """Only where an option is introduced, not where one is mentioned."""
    return set(re.findall(r"^\s+(?:-\w, )?--([a-z][a-z-]+)", help_text, re.M))


def test_help(t):
    bare = t.run()
    t.ends("a bare tenon explains itself on stderr", bare, 2, out="", err="Usage: tenon COMMAND")
    for args in (("--help",), ("help",)):
        t.ends("help goes to stdout", t.run(*args), 0, err="")
    for command in COMMANDS:
        for args in ((command, "--help"), ("help", command), ("--help", command)):
            long = t.run(*args)
            t.ends("help of " + command, long, 0, err="")
            t.check("help begins with three examples",
                    re.match(r"Examples:\n(  .*tenon.*\n){3}\n", long.out) is not None, long)
        short = t.run(command, "-h")
        t.ends("-h of " + command, short, 0, err="")
        t.check("-h is shorter", len(short.out) < len(long.out) or command == "version", short)
        t.equal("-h and --help list the same options", options_listed(short.out),
                options_listed(long.out))
        wide = [line for line in (short.out + long.out).splitlines() if len(line) > 90]
        t.equal("help fits a terminal", wide, [])
    t.ends("-h stands anywhere", t.run("run", "x.js", "--wall", "1s", "-h"), 0, err="")


def test_version(t):
    version = t.run("version")
    t.ends("version", version, 0, err="")
    t.matches("version", version.out, r"\Atenon \d+\.\d+\.\d+\n\Z")
    t.equal("--version says the same", t.run("--version").out, version.out)
    t.equal("-V says the same", t.run("-V").out, version.out)
    t.equal("run --version says the same", t.run("run", "--version").out, version.out)
    t.ends("version takes nothing", t.run("version", "x"), 2, out="", err="takes no argument")


def test_complaints(t):
    """Exit 2, nothing on stdout, and two lines: what is wrong, how to mend it."""
    cases = (
        (["rn"], "unknown command \"rn\"", "Did you mean `tenon run`"),
        (["docter"], "unknown command", "`tenon doctor`"),
        (["comp"], "unknown command", "`tenon completion`"),
        (["xyzzy"], "unknown command \"xyzzy\"", "`tenon help`"),
        (["help", "rum"], "unknown command", "`tenon run`"),
        (["help", "run", "run"], "one command at a time", "tenon help run"),
        (["run", "--wal", "2s"], "unknown option --wal", "--wall"),
        (["run", "--wal=2s"], "unknown option --wal", "--wall"),
        (["run", "--jsno"], "unknown option --jsno", "--json"),
        (["run", "--colour", "never"], "unknown option --colour", "--color"),
        (["run", "--timeout", "3s"], "unknown option --timeout", "tenon run -h"),
        (["run", "-x"], "unknown option -x", "tenon run -h"),
        (["run", "-qx"], "unknown option -x", "tenon run -h"),
        (["doctor", "--wall", "1s"], "`tenon doctor` has no option --wall", "another command"),
        (["--wall", "1s", "doctor"], "`tenon doctor` has no option --wall", "another command"),
        (["run", "-e", "1", "--json=yes"], "--json takes no value", "alone"),
        (["run", "-e"], "-e needs a value", "CODE"),
        (["run", "-e", "1", "--wall"], "--wall needs a value", "TIME"),
        (["run", "-e", "1", "--color"], "--color needs a value", "auto always never"),
        (["run", "--input", "--json", "-e", "1"], "--input needs a value", "JSON"),
        (["run", "-e", "1", "-e", "2"], "--eval is given twice", "together"),
        (["run", "-e", "1", "--input", "{}", "--input", "{}"], "--input is given twice", "together"),
        (["run", "-e", "1", "--color", "maybe"], "--color cannot be \"maybe\"", "auto always never"),
        (["run", "-e", "1", "--bounds", "no"], "--bounds cannot be \"no\"", "guard checked"),
        (["run"], "nothing to run", "tenon run FILE"),
        (["run", "-e", "1", "a.js"], "both -e CODE and a file, \"a.js\"", "one or the other"),
        (["run", "a.js", "b.js"], "\"a.js\" and \"b.js\"", "one program"),
        (["run", "a.js", "b.js", "c.js"], "more than one file: \"a.js\" and \"b.js\"", "one program"),
        (["check"], "nothing to check", "tenon check FILE"),
        (["run", "-", "--input", "-"], "both come from standard input", "--input @FILE"),
        (["run", "-", "--input", "@-"], "both come from standard input", "--input @FILE"),
        (["run", "-e", "1", "--json", "--agent"], "--json and --agent exclude", "choose one"),
        (["run", "-e", "1", "--json", "-q"], "--json and --quiet exclude", "choose one"),
        (["run", "-e", "1", "--agent", "-q"], "--agent and --quiet exclude", "choose one"),
        (["check", "-e", "1", "--json", "--lsp"], "--json and --lsp exclude", "choose one"),
        (["run", "-e", "1", "--lsp"], "`tenon run` has no option --lsp", "another command"),
        (["run", "-e", "1", "--agent", "--no-agent"], "--agent and --no-agent", "[Cc]hoose"),
        (["run", "-e", "1", "--tokens", "9"], "--tokens", "--agent"),
        (["run", "no-such-file.js"], "no-such-file.js: No such file", "can be read"),
        (["run", ROOT], "Is a directory", "can be read"),
        (["run", "--", "-q"], "from -q: No such file", "can be read"),
        (["run", "-e", "1", "--locale", "e"], "--locale cannot be \"e\"", "en-US"),
        (["run", "-e", "1", "--locale", "de-AT"], "--locale cannot be \"de-AT\"", "en-US"),
        (["run", "-e", "1", "--zone", "Mars/Olympus"], "\"Mars/Olympus\"", "Europe/Paris"),
        (["completion"], "name one shell", "bash, zsh or fish"),
        (["completion", "tcsh"], "\"tcsh\"", "bash, zsh and fish"),
        (["describe"], "no name to describe", "tenon describe NAME"),
        (["prompt", "x"], "takes no argument", "tenon prompt"),
        (["prompt", "--json"], "`tenon prompt` has no option --json", "another command"),
        (["search", "x", "--declare", "no-such.d.ts"], "no-such.d.ts: No such file", "can be read"),
        (["doctor", "x"], "takes no argument", "tenon doctor"),
    )
    for args, problem, remedy in cases:
        result = t.run(*args)
        t.ends("complaint about " + " ".join(args), result, 2, out="")
        lines = result.err.split("\n")
        t.check("what and how, in two lines: " + " ".join(args),
                len(lines) == 3 and lines[0].startswith("tenon: ") and lines[1].startswith("  ")
                and problem in lines[0] and re.search(remedy, lines[1]), result)
    result = t.run(__file__)
    t.ends("a file as a command", result, 2, out="", err="To run it: tenon run .*test_usage.py")


def test_amounts(t):
    good = {
        "wall": ("1ms", "500ms", "2s", "1.5s", "2m", "1h", "2S", "168h"),
        "cpu": ("100ms", "0.5s"),
        "memory": ("8388608B", "8192K", "8M", "8MiB", "8MB", "8m", "0.25G", "1G"),
        "output": ("1B", "1K", "1KiB", "1.5K"),
        "calls": ("1", "1000", "2147483647"),
        "seed": ("0", "1", "18446744073709551615"),
        "now": ("0", "1", "-1", "1770000000000", "2026-01-31", "2026-01-31T12:00Z",
                "2026-01-31T12:00:00Z", "2026-01-31T12:00:00.125+02:00", "2026-01-31 12:00:00z",
                "2024-02-29", "1969-12-31T23:59:59Z", "0001-01-01"),
    }
    bad = {
        "wall": ("", "2", "s", "-1s", "1x", "1 s", "1s2", "0", "0s", "0.1ms", "169h", "1e3s",
                 "99999999999999999999h", "."),
        "memory": ("", "8", "M", "-8M", "8X", "8Mi", "0", "0M", "0.5B", "1025G"),
        "calls": ("", "0", "-1", "1.5", "x", "2147483648", "1k"),
        "seed": ("", "-1", "1.5", "x", "18446744073709551616", "0x10"),
        "now": ("", "x", "2026-02-30", "2026-13-01", "2026-1-1", "2026-01-31T12:00:00",
                "2026-01-31T25:00Z", "2026-01-31T12:60Z", "2026-01-31T12:00:60Z", "2026-01-31T",
                "2026-01-31T12:00:00+2", "2026-01-31T12:00Zx", "9e15", "8640000000000001"),
    }
    bad["now"] = tuple(text for text in bad["now"] if text != "2026")  # milliseconds, if unlikely
    for option, texts in good.items():
        for text in texts:
            result = t.run("run", "-e", "1", "--%s=%s" % (option, text))
            t.check("--%s %s is taken" % (option, text), result.code != 2, result)
    for option, texts in bad.items():
        for text in texts:
            result = t.run("run", "-e", "1", "--%s=%s" % (option, text))
            t.ends("--%s %s is refused" % (option, text), result, 2, out="",
                   err=r"\Atenon: --%s cannot be \"%s\"\n  \S.*\n\Z" % (option, re.escape(text)))


def test_written_about_alike(t):
    """Help, man page, docs and completions name every option, and no other."""
    by_help = {command: options_listed(t.run(command, "--help").out) for command in COMMANDS}
    by_help["mcp import"] = options_listed(t.run("mcp", "import", "--help").out)
    every = set().union(*by_help.values())
    t.check("there are options", len(every) > 20, every)

    manual = source("cli/tenon.1")
    in_manual = set(re.findall(r"\bFl -([a-z][a-z-]+)", manual)) - {"name"}
    t.equal("options of the man page", in_manual, every)
    for command in COMMANDS:
        t.check("the man page has " + command, ".Cm " + command in manual)
    t.equal("options of docs/cli.md", options_in(source("docs/cli.md")) - {"name"}, every)
    for code in ("0", "1", "2", "3", "4", "5", "6", "7", "8", "130", "143"):
        t.matches("exit code %s in the man page" % code, manual, r"\.It .*\b%s\b" % code)
        t.matches("exit code %s in help" % code, t.run("run", "--help").out, r"\b%s\b" % code)
        t.matches("exit code %s in docs/cli.md" % code, source("docs/cli.md"), r"\| .*\b%s\b" % code)
    for variable in ("NO_COLOR", "FORCE_COLOR", "TERM", "AI_AGENT", "CLAUDECODE", "CURSOR_AGENT",
                     "GEMINI_CLI", "CODEX_SANDBOX", "OPENCODE_CLIENT", "AUGMENT_AGENT"):
        for where in ("cli/tenon.1", "docs/cli.md"):
            t.check("%s in %s" % (variable, where), variable in source(where))
        t.check(variable + " in help", variable in t.run("run", "--help").out)

    for shell, name in COMPLETIONS.items():
        text = source("cli/completion/" + name)
        found = (set(re.findall(r"^complete .*? -l ([a-z][a-z-]+)", text, re.M))
                 if shell == "fish" else options_in(text))
        t.equal("options of the completion for " + shell, found, every)
        printed = t.run("completion", shell)
        t.ends("completion " + shell, printed, 0, out=text, err="")
        for command in COMMANDS:
            t.check("%s completes %s" % (shell, command), re.search(r"\b%s\b" % command, text))


def test_manual_formats(t):
    manual = os.path.join(ROOT, "cli", "tenon.1")
    if shutil.which("mandoc"):
        lint = subprocess.run(["mandoc", "-Tlint", "-W", "warning", manual], capture_output=True)
        t.equal("mandoc has no warning", lint.stdout, b"")
    if shutil.which("groff"):
        groff = subprocess.run(["groff", "-mdoc", "-Tascii", "-ww", manual], capture_output=True)
        t.equal("groff formats it", (groff.returncode, groff.stderr), (0, b""))
        t.matches("and shows it", groff.stdout.decode(), "--memory|m.*e.*m.*o.*r.*y")


def complete_in_bash(*words):
    script = os.path.join(ROOT, "cli", "completion", "tenon.bash")
    code = ('source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _tenon; '
            'printf "%s\\n" "${COMPREPLY[@]}"')
    done = subprocess.run(["bash", "-c", code, script, *words], capture_output=True, text=True,
                          cwd=ROOT)
    return done.stdout.split()


def test_bash_completion(t):
    t.equal("commands", set(complete_in_bash("tenon", "")) & set(COMMANDS), set(COMMANDS))
    t.equal("a command begun", complete_in_bash("tenon", "doc"), ["doctor"])
    t.equal("an option begun", complete_in_bash("tenon", "run", "--mem"), ["--memory"])
    t.equal("only the command's options", complete_in_bash("tenon", "doctor", "--w"), [])
    t.equal("choices", complete_in_bash("tenon", "run", "--color", "a"), ["auto", "always"])
    t.equal("choices after =", complete_in_bash("tenon", "run", "--bounds", "=", "c"), ["checked"])
    t.check("files", "README.md" in complete_in_bash("tenon", "run", "READ"))
    t.check("files after @", "@README.md" in complete_in_bash("tenon", "run", "--input", "@READ"))
    t.equal("shells", complete_in_bash("tenon", "completion", ""), ["bash", "zsh", "fish", "-h",
                                                                  "--help", "-V", "--version"])


def test_completion_syntax(t):
    for shell, name in COMPLETIONS.items():
        path = os.path.join(ROOT, "cli", "completion", name)
        if not shutil.which(shell):
            skip(shell + " is not installed")
            continue
        done = subprocess.run([shell, "-n", path], capture_output=True)
        t.equal("%s -n %s" % (shell, name), (done.returncode, done.stderr), (0, b""))
    if shutil.which("fish"):
        def fish(line):
            code = "source %s/cli/completion/tenon.fish; complete -C '%s'" % (ROOT, line)
            done = subprocess.run(["fish", "--no-config", "-c", code], capture_output=True, text=True)
            return [word.split("\t")[0] for word in done.stdout.splitlines()]
        t.equal("fish: a command begun", fish("tenon doc"), ["doctor"])
        t.equal("fish: an option begun", fish("tenon run --mem"), ["--memory"])
        t.equal("fish: choices", fish("tenon run --bounds "), ["checked", "guard"])
        t.equal("fish: shells", set(fish("tenon completion ")), {"bash", "zsh", "fish"})
    if shutil.which("zsh"):
        code = ("autoload -U compinit; compinit -u -D; source %s/cli/completion/_tenon; "
                "print $_comps[tenon]" % ROOT)
        done = subprocess.run(["zsh", "-fc", code], capture_output=True, text=True)
        t.equal("zsh takes it", (done.stdout, done.stderr), ("_tenon\n", ""))
