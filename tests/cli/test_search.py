"""`tenon search`, `tenon describe`, `tenon prompt`."""
import json
import os
import tempfile

DECLARED = """
declare namespace github {
  /** Issues of a repository, newest first. A hundred a page. */
  function listIssues(input: { repo: string; state?: "open" | "closed" }): Promise<Issue[]>;
  /** Open a new issue. */
  function createIssue(input: NewIssue): Promise<Issue>;
  /** One issue. */
  interface Issue { number: number; title: string }
  interface NewIssue { repo: string; title: string }
}
declare module "my-pkg" { export function pack(files: string[]): Promise<Uint8Array>; }
"""


def with_declarations(t, *args, text=DECLARED):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "github.d.ts")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return t.run(*args, "--declare", path)


def test_search_finds(t):
    found = with_declarations(t, "search", "new", "issues")
    t.ends("search", found, 0, err="", out=(
        "// github\n"
        "github.createIssue(input: NewIssue): Promise<Issue> // Open a new issue.\n"
        "github.listIssues(input: { repo: string; state?: \"open\" | \"closed\" }): "
        "Promise<Issue[]> // Issues of a repository, newest first.\n"
        "interface NewIssue { repo: string; title: string }\n"
        "interface Issue { number: number; title: string }\n"
        "COMPLETE\n"))
    one = with_declarations(t, "search", "pack files")
    t.ends("what is imported", one, 0, err="", out=(
        "// import { ... } from \"my-pkg\"\n"
        "pack(files: string[]): Promise<Uint8Array>\n"
        "COMPLETE\n"))
    t.matches("all of it", with_declarations(t, "search").out, r"(?s)listIssues.*pack.*COMPLETE\n\Z")
    t.matches("within a budget", with_declarations(t, "search", "issue", "--tokens", "80").out,
              r"\nPARTIAL \(\d.*\)\n\Z")
    t.ends("nothing to search in", t.run("search", "x"), 0, err="",
           out="// nothing can be called here: no function was added or declared\nCOMPLETE\n")


def test_describe(t):
    found = with_declarations(t, "describe", "github.createIssue")
    t.ends("describe", found, 0, err="", out=(
        "declare namespace github {\n"
        "    /** Open a new issue. */\n"
        "    function createIssue(input: NewIssue): Promise<Issue>;\n"
        "    interface NewIssue { repo: string; title: string }\n"
        "    /** One issue. */\n"
        "    interface Issue { number: number; title: string }\n"
        "}\n"
        "COMPLETE\n"))
    t.matches("did you mean", with_declarations(t, "describe", "github.listIsues").out,
              r"\A// there is no \"github.listIsues\": did you mean github.listIssues\?\nCOMPLETE\n\Z")


def test_search_as_json(t):
    found = json.loads(with_declarations(t, "search", "issue", "--json").out)
    t.equal("members of the search's JSON", sorted(found), ["complete", "query", "text"])
    t.equal("query and completeness", (found["query"], found["complete"]), ("issue", True))
    found = json.loads(with_declarations(t, "describe", "github", "--json", "--tokens", "70").out)
    t.equal("names and completeness", (found["names"], found["complete"]), ("github", False))


def test_prompt(t):
    prompt = with_declarations(t, "prompt")
    t.ends("prompt", prompt, 0, err="")
    t.matches("it shows what there is", prompt.out, r"(?s)return.*Promise\.all.*github\.listIssues\(")
    t.matches("and ends in what to ask", prompt.out, r"\nThis is all\. .*\n\Z")
    t.check("without the answer's last line", "COMPLETE" not in prompt.out, prompt.out)
    t.check("it is short", len(t.run("prompt").out) < 2000, len(t.run("prompt").out))
    small = with_declarations(t, "prompt", "--tokens", "70")
    t.matches("with a budget", small.out, r"(?s)github \(2\).*\nThere is more than this\. .*\n\Z")
