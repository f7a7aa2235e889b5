/*
 * Is text that did not parse plainly another language? Lines vote: what only that language writes
 * counts for it, what only JavaScript writes against all. Unsure means no.
 */
#include <string.h>

#include "source.h"

typedef struct Text {
    const char *at;
    size_t length;
} Text;

static Text next_line(Text *rest)
{
    const char *end = memchr(rest->at, '\n', rest->length);
    Text line = {rest->at, end ? (size_t)(end - rest->at) : rest->length};
    size_t taken = line.length + (end != NULL);

    rest->at += taken;
    rest->length -= taken;
    while (line.length > 0 && strchr(" \t\r", line.at[line.length - 1]))
        line.length--;
    return line;
}

static Text trimmed(Text line)
{
    while (line.length > 0 && (*line.at == ' ' || *line.at == '\t')) {
        line.at++;
        line.length--;
    }
    return line;
}

static bool begins(Text line, const char *with)
{
    size_t length = strlen(with);
    return line.length >= length && memcmp(line.at, with, length) == 0;
}

static bool begins_any(Text line, const char *const *with)
{
    for (; *with; with++) {
        if (begins(line, *with))
            return true;
    }
    return false;
}

static bool ends(Text line, char with)
{
    return line.length > 0 && line.at[line.length - 1] == with;
}

static bool contains(Text line, const char *what)
{
    return line.at && line.length > 0 && memmem(line.at, line.length, what, strlen(what)) != NULL;
}

static int python_votes(Text line)
{
    static const char *const blocks[] = {
        "def ", "class ",  "if ",     "elif ", "else:",      "for ",     "while ",
        "try:", "except ", "except:", "with ", "async def ", "finally:", NULL};
    static const char *const words[] = {
        "elif ",   "except ",   "except:",     "print(f\"", "print(f'",
        "lambda ", "@property", "if __name__", NULL};

    if (begins(line, "from ") && contains(line, " import ") && !contains(line, "'") &&
        !contains(line, "\""))
        return 3;
    if (begins(line, "def ") &&
        (ends(line, ':') || contains(line, "): ") || contains(line, ") -> ")))
        return 3;
    if (begins_any(line, words))
        return 2;
    if (begins_any(line, blocks) && ends(line, ':') && !contains(line, "{"))
        return 2;
    if (begins(line, "import ") && !ends(line, ';') && !contains(line, "'") &&
        !contains(line, "\"") && !contains(line, "("))
        return 2;
    return contains(line, "\"\"\"") || contains(line, " is None") || contains(line, "self.") ||
           (begins(line, "# ") && !begins(line, "#!"));
}

static int shell_votes(Text line)
{
    static const char *const commands[] = {
        "cd ",     "ls ",   "npm ",  "npx ",    "git ",   "curl ", "echo ",  "sudo ",
        "apt ",    "cat ",  "grep ", "pip ",    "mkdir ", "rm -",  "chmod ", "wget ",
        "docker ", "set -", "$ ",    "source ", "sed ",   "awk ",  "find ",  NULL};
    static const char *const words[] = {"if [ ", "if [[ ", "fi", "done", "esac", "then", NULL};

    if (begins(line, "#!") && (contains(line, "sh")))
        return 5;
    if (begins(line, "export ") && contains(line, "=") && !contains(line, " = "))
        return 2;
    for (size_t i = 0; words[i]; i++) {
        bool alone = line.length == strlen(words[i]);
        if (begins(line, words[i]) && (alone || ends((Text){words[i], strlen(words[i])}, ' ')))
            return 2;
    }
    if (ends(line, ';') || contains(line, "=>"))
        return 0;
    return begins_any(line, commands) ? 2 : 0;
}

static int javascript_votes(Text line)
{
    static const char *const words[] = {
        "const ", "let ",           "var ",   "function ", "async function",
        "//",     "export default", "await ", "});",       NULL};
    return begins_any(line, words) || contains(line, "=>") || contains(line, "===") ||
           ends(line, ';') || ends(line, '{') || (line.length == 1 && *line.at == '}');
}

static bool is_diff(Text text)
{
    bool old = false, both = false;

    if (begins(text, "diff --git ") || begins(text, "*** Begin Patch"))
        return true;
    while (text.length > 0) {
        Text line = next_line(&text);
        if (both && begins(line, "@@ "))
            return true;
        both = both || (old && begins(line, "+++ "));
        old = begins(line, "--- ");
    }
    return false;
}

const char *source_foreign(const char *text, size_t length)
{
    Text rest = {text, length};
    int python = 0, shell = 0, javascript = 0;

    while (rest.length > 0 && strchr(" \t\r\n", *rest.at)) {
        rest.at++;
        rest.length--;
    }
    if (is_diff(rest))
        return "diff";
    while (rest.length > 0) {
        Text line = trimmed(next_line(&rest));
        if (line.length == 0)
            continue;
        python += python_votes(line);
        shell += shell_votes(line);
        javascript += javascript_votes(line);
    }
    if (shell >= 2 && shell > python && shell > 2 * javascript)
        return "shell";
    if (python >= 2 && python > 2 * javascript)
        return "python";
    return NULL;
}
