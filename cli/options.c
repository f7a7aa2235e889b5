/* The tables of commands and options, and the parser that reads a command line by them. */
#include "options.h"

#include "amounts.h"
#include "complain.h"
#include "suggest.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define AT(member) offsetof(Settings, member)

const CommandInfo command_table[] = {
    {COMMAND_RUN, "run", "FILE | - | -e CODE", "Run a program and print what came of it"},
    {COMMAND_CHECK, "check", "FILE... | - | -e CODE", "Check programs and say what does not fit"},
    {COMMAND_SEARCH, "search", "[WORDS...]", "Find functions that programs may call"},
    {COMMAND_DESCRIBE, "describe", "NAME...", "Print the exact declarations of functions"},
    {COMMAND_TYPES, "types", "[PACKAGE]", "Print a server's types, and where each is from"},
    {COMMAND_PROMPT, "prompt", "", "Print the block for a model's system prompt"},
    {COMMAND_MCP, "mcp", "", "Be an MCP server: three tools in place of hundreds"},
    {COMMAND_IMPORT, "mcp import", "[CLIENT | FILE]...",
     "Gather the MCP servers that other clients are set up with"},
    {COMMAND_TRUST, "trust", "[FILE]", "Show what a .mcp.json would start, and trust it"},
    {COMMAND_TRACE, "trace", "[RUN]", "Show what a run called, and when"},
    {COMMAND_DOCTOR, "doctor", "", "Try what this machine gives and say what is missing"},
    {COMMAND_COMPLETION, "completion", "bash | zsh | fish", "Print a completion script"},
    {COMMAND_HELP, "help", "[COMMAND]", "Explain a command"},
    {COMMAND_VERSION, "version", "", "Print the version"},
};
const size_t command_count = sizeof command_table / sizeof command_table[0];

/* clang-format off: one option a paragraph reads better than what the formatter makes of it. */
const Option option_table[] = {
    {"eval", 'e', "CODE", NULL, COMMAND_RUN | COMMAND_CHECK, SECTION_PROGRAM, KIND_TEXT, AT(code),
     "Take this text instead of a file", "It is TypeScript, like what comes from stdin."},
    {"input", 0, "JSON", NULL, COMMAND_RUN | COMMAND_CHECK, SECTION_PROGRAM, KIND_TEXT, AT(input),
     "Names for the program: an object, @FILE, or - for stdin",
     "Its members are names in the program's scope: with --input '{\"name\":\"Ada\"}' the program "
     "name.toUpperCase() gives ADA. Values that JSON has no word for are written "
     "{\"$type\":\"date\",\"value\":\"2026-01-01T00:00:00.000Z\"} and the like (docs/values.md)."},
    {"no-check", 0, NULL, NULL, COMMAND_RUN, SECTION_PROGRAM, KIND_FLAG, AT(no_check),
     "Run without checking types first",
     "Types are taken out and the rest runs. A program that does not parse is refused either way. "
     "Files that end in .js, .mjs or .cjs are JavaScript, whose types nobody checks."},
    {"checker", 0, "WHO", "auto tsc none", COMMAND_RUN | COMMAND_CHECK | COMMAND_MCP,
     SECTION_PROGRAM, KIND_CHOICE, AT(checker), "Who checks types: auto, tsc or none",
     "auto: the TypeScript compiler if it is installed; where it is not, a note says that types "
     "were not checked. tsc: without it nothing runs. none: nobody. The compiler is the one that "
     "this command was built with, or the one that TENON_TSC names."},
    {"declare", 0, "FILE", NULL,
     COMMAND_RUN | COMMAND_CHECK | COMMAND_ASKS | COMMAND_MCP | COMMAND_TYPES, SECTION_PROGRAM,
     KIND_LIST, AT(declarations), "Declarations to check against (.d.ts); repeatable",
     "Namespaces, modules and interfaces of the host, as declare namespace github {...}."},
    {"mcp", 0, "FILE", NULL,
     COMMAND_RUN | COMMAND_CHECK | COMMAND_ASKS | COMMAND_MCP | COMMAND_TYPES, SECTION_PROGRAM,
     KIND_LIST, AT(servers), "MCP servers whose tools are functions; repeatable",
     "As agents keep them: {\"mcpServers\": {\"files\": {\"command\": \"npx\", \"args\": [...]}}}, "
     "or "
     "\"url\" and \"headers\". ${NAME} is taken from the environment. Each server is a package: "
     "files.read_file({path: ...}), and naming the file grants all of its tools."},
    {"no-mcp", 0, NULL, NULL,
     COMMAND_RUN | COMMAND_CHECK | COMMAND_ASKS | COMMAND_MCP | COMMAND_TYPES, SECTION_PROGRAM,
     KIND_FLAG, AT(no_mcp), "No MCP servers, whatever .mcp.json there is",
     "Without --mcp, the nearest .mcp.json from this folder up counts, once it is trusted "
     "(tenon trust)."},
    {"fresh", 0, NULL, NULL,
     COMMAND_RUN | COMMAND_CHECK | COMMAND_ASKS | COMMAND_MCP | COMMAND_TYPES, SECTION_PROGRAM,
     KIND_FLAG, AT(fresh), "Ask every server what it offers, whatever is kept",
     "What servers list is kept between starts (packages.db in $XDG_CACHE_HOME/tenon or "
     "~/.cache/tenon), and a server is started by the first call of it; its list is compared then. "
     "With this all of them are started and asked now."},
    {"openapi", 0, "[NAME=]FILE", NULL,
     COMMAND_RUN | COMMAND_CHECK | COMMAND_ASKS | COMMAND_MCP | COMMAND_TYPES, SECTION_PROGRAM,
     KIND_LIST, AT(services), "A service whose operations are functions; repeatable",
     "An OpenAPI document (3.0 or 3.1, JSON or YAML), a file or an address: --openapi "
     "github=github.yaml makes github.issues_list({owner: ...}), and naming it grants the servers "
     "that it names. Its server, headers and credentials can be said in the file of --mcp "
     "(docs/openapi.md)."},
    {"credential", 0, "SCHEME=SECRET", NULL,
     COMMAND_RUN | COMMAND_CHECK | COMMAND_ASKS | COMMAND_MCP | COMMAND_TYPES, SECTION_PROGRAM,
     KIND_LIST, AT(credentials), "A secret of --openapi; repeatable",
     "By the name of the security scheme in the document, NAME.SCHEME where there are several "
     "services; SECRET says where it is: env:NAME, file:PATH or "
     "command:LINE. Programs never see it."},
    {"expect", 0, "TYPE", NULL, COMMAND_RUN | COMMAND_CHECK, SECTION_PROGRAM, KIND_TEXT, AT(expect),
     "The type that the program's value must have",
     "In TypeScript: --expect 'Array<{number: number; title: string}>'."},
    {"export", 0, "NAME: TYPE", NULL, COMMAND_RUN | COMMAND_CHECK, SECTION_PROGRAM, KIND_LIST,
     AT(exports), "Something the program must export; repeatable",
     "--export 'render: (name: string) => string', or the name alone."},
    {"input-type", 0, "TYPE", NULL, COMMAND_RUN | COMMAND_CHECK, SECTION_PROGRAM, KIND_TEXT,
     AT(input_type), "The type of --input (default: inferred from it)", NULL},

    {"policy", 0, "FILE", NULL, COMMAND_GOVERNED, SECTION_POLICY, KIND_TEXT, AT(policy),
     "What the program may call, and on what terms",
     "JSON (docs/policy.md): rules with conditions on arguments, limits, bound arguments, "
     "overrides."},
    {"allow", 0, "PATTERN", NULL, COMMAND_GOVERNED, SECTION_POLICY, KIND_LIST, AT(allow),
     "Allow these functions, and no others; repeatable",
     "A function or several: github.listIssues, 'hub.list*', '*'. With --policy, what no rule "
     "names "
     "is as the file says."},
    {"allow-fetch", 0, "URL", NULL, COMMAND_GOVERNED, SECTION_POLICY, KIND_LIST, AT(fetch),
     "Let fetch reach this origin; repeatable",
     "An origin, and the beginning of a path if need be: https://api.example.com/v1/; a host may "
     "be "
     "*.example.com. Programs have fetch only with this, or with \"fetch\" in --policy, where "
     "methods and credentials can be named too."},
    {"deny", 0, "PATTERN", NULL, COMMAND_GOVERNED, SECTION_POLICY, KIND_LIST, AT(deny),
     "Deny these functions; repeatable",
     "A program that surely calls one is refused before it runs; else the call throws. Deny beats "
     "--ask, and both beat --allow."},
    {"ask", 0, "PATTERN", NULL, COMMAND_GOVERNED, SECTION_POLICY, KIND_LIST, AT(ask),
     "Ask before each call of these; repeatable",
     "At the terminal; tenon mcp has its client ask. Where nobody can be asked the call is refused "
     "for good. The time that an answer takes does not count for --wall."},
    {"override", 0, "PATTERN=WHAT", NULL, COMMAND_GOVERNED, SECTION_POLICY, KIND_LIST,
     AT(overrides), "What runs in the place of these; repeatable",
     "WHAT is another function, mail.send=mock.send; deny or deny:REASON; or value:JSON, a "
     "constant. The program cannot reach the original."},
    {"bind", 0, "PATTERN:NAME=VALUE", NULL, COMMAND_GOVERNED, SECTION_POLICY, KIND_LIST, AT(bound),
     "Fix a parameter of these; repeatable",
     "'github.*:userId=7'. VALUE is JSON, or text. The program neither sees the parameter nor can "
     "pass it."},

    {"config", 0, "FILE", NULL, COMMAND_MCP, SECTION_DOOR, KIND_TEXT, AT(config),
     "Tools, prompts and resources of your own to offer too",
     "JSON (docs/mcp.md): each tool is a program that gets its arguments as `args`. What is wrong "
     "with one is said on stderr."},
    {"http", 0, "ADDRESS", NULL, COMMAND_MCP, SECTION_DOOR, KIND_TEXT, AT(http),
     "Speak over HTTP at HOST:PORT or PORT instead of stdin",
     "As in --http 127.0.0.1:8808; port 0 is one that is free. The URL is printed on stderr. What "
     "is not of this machine alone needs --token."},
    {"token", 0, "SECRET", NULL, COMMAND_MCP, SECTION_DOOR, KIND_TEXT, AT(token),
     "Where the bearer token is that clients of --http must show",
     "env:NAME, file:PATH or command:LINE; 16 characters at least. Never the token itself: others "
     "can read a command line."},
    {"origin", 0, "ORIGIN", NULL, COMMAND_MCP, SECTION_DOOR, KIND_LIST, AT(origins),
     "Let in pages of this origin with --http; repeatable",
     "As in https://inspector.example.org. Pages of this machine are let in anyway."},

    {"json", 0, NULL, NULL,
     COMMAND_RUN | COMMAND_CHECK | COMMAND_DOCTOR | COMMAND_SEARCH | COMMAND_DESCRIBE |
         COMMAND_TRACE | COMMAND_TYPES,
     SECTION_OUTPUT, KIND_FLAG, AT(json), "Print exactly one JSON object",
     "For run: the whole outcome (docs/outcome.schema.json). For check: {\"ok\", \"files\": "
     "[{\"name\", \"ready\", \"findings\"}]}. For search and describe: {\"query\" or \"names\", "
     "\"complete\", \"text\"}. For types: a list of packages. For "
     "trace: the run with its calls (docs/trace.schema.json). Nothing else goes to stdout."},
    {"chrome", 0, NULL, NULL, COMMAND_TRACE, SECTION_OUTPUT, KIND_FLAG, AT(chrome),
     "Print a Chrome trace event file", "For Perfetto (ui.perfetto.dev) and chrome://tracing."},
    {"lsp", 0, NULL, NULL, COMMAND_CHECK, SECTION_OUTPUT, KIND_FLAG, AT(lsp),
     "Print one JSON line for each file, as editors take it",
     "The parameters of textDocument/publishDiagnostics of the Language Server Protocol: a file "
     "without findings has an empty list. Files of --declare come after the first program."},
    {"agent", 0, NULL, NULL, COMMAND_RUN | COMMAND_CHECK, SECTION_OUTPUT, KIND_FLAG, AT(agent),
     "Print the outcome as text for a model",
     "Compact, stable, without colour, within a token budget. On by itself when stdout is not a "
     "terminal and the environment says that an agent is at work (AI_AGENT, CLAUDECODE, "
     "CURSOR_AGENT, GEMINI_CLI, CODEX_SANDBOX, OPENCODE_CLIENT, AUGMENT_AGENT)."},
    {"no-agent", 0, NULL, NULL, COMMAND_RUN | COMMAND_CHECK, SECTION_OUTPUT, KIND_FLAG,
     AT(no_agent), "Print for a person even under an agent", NULL},
    {"tokens", 0, "N", NULL, COMMAND_RUN | COMMAND_ASKS | COMMAND_MCP, SECTION_OUTPUT, KIND_COUNT,
     AT(tokens), "Token budget of what a model reads (default 2000)",
     "Of run: with --agent. A token is taken for four bytes."},
    {"quiet", 'q', NULL, NULL, COMMAND_RUN, SECTION_OUTPUT, KIND_FLAG, AT(quiet),
     "Print the value only, no console", "An error is still reported on stderr."},
    {"color", 0, "WHEN", "auto always never",
     COMMAND_RUN | COMMAND_CHECK | COMMAND_DOCTOR | COMMAND_TRACE, SECTION_OUTPUT, KIND_CHOICE,
     AT(color), "auto, always or never",
     "auto: on a terminal, unless NO_COLOR is set or TERM is dumb; FORCE_COLOR turns it on "
     "elsewhere."},

    {"wall", 0, "TIME", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_LIMITS, KIND_DURATION,
     AT(limits.wall_ms), "Whole run, waiting included (default 30s)",
     "TIME is a number and ms, s, m or h."},
    {"cpu", 0, "TIME", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_LIMITS, KIND_DURATION,
     AT(limits.cpu_ms), "Time the program itself computes (default 10s)", NULL},
    {"memory", 0, "SIZE", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_LIMITS, KIND_SIZE,
     AT(limits.memory_bytes), "What the program allocates (default 64M)",
     "SIZE is a number and B, K, M or G; K is 1024 bytes, and KiB, MiB, GiB mean the same."},
    {"calls", 0, "N", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_LIMITS, KIND_COUNT, AT(limits.calls),
     "Host calls in all (default 1000)", NULL},
    {"output", 0, "SIZE", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_LIMITS, KIND_SIZE,
     AT(limits.console_bytes), "Console kept, head and tail (default 256K)", NULL},
    {"result", 0, "SIZE", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_LIMITS, KIND_SIZE,
     AT(limits.result_bytes), "The value, written out (default 1M)", NULL},
    {"source", 0, "SIZE", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_LIMITS, KIND_SIZE32,
     AT(limits.source_bytes), "Program text (default 256K)", NULL},

    {"now", 0, "TIME", NULL, COMMAND_RUN, SECTION_WORLD, KIND_MOMENT, AT(now_ms),
     "Where the clock starts: 2026-01-31T12:00:00Z, or ms since 1970", NULL},
    {"zone", 0, "ZONE", NULL, COMMAND_RUN, SECTION_WORLD, KIND_TEXT, AT(zone),
     "Time zone, as Europe/Paris (default: this machine's)", NULL},
    {"locale", 0, "TAG", NULL, COMMAND_RUN, SECTION_WORLD, KIND_TEXT, AT(locale),
     "Language, as en-US (the default)", NULL},
    {"seed", 0, "N", NULL, COMMAND_RUN, SECTION_WORLD, KIND_SEED, AT(seed),
     "Make Math.random and crypto repeatable", NULL},
    {"bounds", 0, "HOW", "guard checked", COMMAND_RUN | COMMAND_MCP, SECTION_WORLD, KIND_CHOICE,
     AT(bounds), "How stray accesses are caught: guard or checked",
     "guard: by guard pages and a SIGSEGV handler. checked: by a comparison before each access, "
     "slower, with no SIGSEGV handler."},

    {"to", 0, "FILE", NULL, COMMAND_IMPORT, SECTION_OUTPUT, KIND_TEXT, AT(to),
     "Merge them into this file (default: print them)",
     "Servers that it has stay. One of another content under a name that is taken gets another "
     "name."},
    {"list", 0, NULL, NULL, COMMAND_IMPORT | COMMAND_TRUST | COMMAND_TRACE, SECTION_OUTPUT,
     KIND_FLAG, AT(list), "Only say what there is", "Of trace: the newest runs."},
    {"force", 0, NULL, NULL, COMMAND_IMPORT, SECTION_OUTPUT, KIND_FLAG, AT(force),
     "Replace servers that the file has under the same name", NULL},
    {"references", 0, NULL, NULL, COMMAND_IMPORT, SECTION_OUTPUT, KIND_FLAG, AT(references),
     "Write ${NAME} in the place of what looks secret", "Each is told, with the name to set."},
    {"revoke", 0, NULL, NULL, COMMAND_TRUST, SECTION_OTHER, KIND_FLAG, AT(revoke),
     "Trust the file no more", NULL},
    {"yes", 'y', NULL, NULL, COMMAND_TRUST, SECTION_OTHER, KIND_FLAG, AT(yes),
     "Do not ask: it was looked at", NULL},
    {"journal", 0, "LEVEL", "normal durable memory", COMMAND_RUN | COMMAND_MCP, SECTION_JOURNAL,
     KIND_CHOICE, AT(journal), "How sure it is written down: normal, durable or memory",
     "normal: every call is in the file a moment later; tenon trace shows it. durable: a call is "
     "made only when it is on disk that it will be. memory: nothing is kept."},
    {"journal-file", 0, "FILE", NULL, COMMAND_RUN | COMMAND_MCP | COMMAND_TRACE, SECTION_JOURNAL,
     KIND_TEXT, AT(journal_file), "The journal (default: tenon/journal.db among your state)",
     "$XDG_STATE_HOME/tenon/journal.db, or ~/.local/state/tenon/journal.db. Any number of commands "
     "write to one."},
    {"keep", 0, "N", NULL, COMMAND_RUN | COMMAND_MCP, SECTION_JOURNAL, KIND_COUNT, AT(keep),
     "Runs that the journal keeps (default 1000)", "And no more than 256M of them."},

    {"version", 'V', NULL, NULL, COMMAND_ANY, SECTION_OTHER, KIND_FLAG, AT(version),
     "Print the version", NULL},
    {"help", 'h', NULL, NULL, COMMAND_ANY, SECTION_OTHER, KIND_FLAG, AT(help_long),
     "Explain at length (-h: in short)", NULL},
};
/* clang-format on */
const size_t option_count = sizeof option_table / sizeof option_table[0];

static_assert(sizeof option_table / sizeof option_table[0] <= 64, "Settings.given has 64 bits");

const CommandInfo *command_by_name(const char *name)
{
    for (size_t i = 0; i < command_count; i++) {
        if (strcmp(command_table[i].name, name) == 0)
            return &command_table[i];
    }
    return NULL;
}

bool settings_given(const Settings *settings, const char *option_name)
{
    for (size_t i = 0; i < option_count; i++) {
        if (strcmp(option_table[i].name, option_name) == 0)
            return (settings->given >> i & 1) != 0;
    }
    return false;
}

/* The option of that name, of `length` bytes; `commands` limits which are looked at. */
static const Option *option_by_name(const char *name, size_t length, unsigned wanted)
{
    for (size_t i = 0; i < option_count; i++) {
        if ((option_table[i].commands & wanted) != 0 && strlen(option_table[i].name) == length &&
            memcmp(option_table[i].name, name, length) == 0)
            return &option_table[i];
    }
    return NULL;
}

static const Option *option_by_letter(char letter, unsigned wanted)
{
    for (size_t i = 0; i < option_count; i++) {
        if ((option_table[i].commands & wanted) != 0 && option_table[i].letter == letter)
            return &option_table[i];
    }
    return NULL;
}

static const char *command_name(Command command)
{
    for (size_t i = 0; i < command_count; i++) {
        if (command_table[i].command == command)
            return command_table[i].name;
    }
    return "help";
}

/* An option that only other commands have. */
static int foreign_option(const Settings *settings, const char *name)
{
    return complain("It belongs to another command; see `tenon help`.",
                    "`tenon %s` has no option --%s", command_name(settings->command), name);
}

static int unknown_option(const Settings *settings, const char *argument)
{
    unsigned wanted = settings->command == COMMAND_NONE ? COMMAND_ANY : settings->command;
    size_t length = strcspn(argument, "=");
    Suggestion suggestion = suggestion_begin(argument + 2, length > 2 ? length - 2 : 0);

    if (argument[1] == '-') {
        const Option *elsewhere = option_by_name(argument + 2, length - 2, COMMAND_ANY);
        if (elsewhere != NULL)
            return foreign_option(settings, elsewhere->name);
        for (size_t i = 0; i < option_count; i++) {
            if ((option_table[i].commands & wanted) != 0)
                suggestion_offer(&suggestion, option_table[i].name);
        }
    }
    if (suggestion.best != NULL)
        return complain_about("Did you mean --%s?", suggestion.best, "unknown option %.*s",
                              (int)length, argument);
    return complain_about("`tenon %s -h` lists the options.", command_name(settings->command),
                          "unknown option %.*s", (int)length, argument);
}

/* Which of the words in `choices` is `text`? -1: none. */
static int choice_index(const char *choices, const char *text)
{
    size_t length = strlen(text);
    int index = 0;

    for (const char *word = choices; *word != '\0'; index++) {
        size_t word_length = strcspn(word, " ");
        if (word_length == length && memcmp(word, text, length) == 0)
            return index;
        word += word_length;
        word += *word == ' ';
    }
    return -1;
}

static int store_choice(const Option *option, const char *text, int *target)
{
    int index = choice_index(option->choices, text);
    if (index < 0)
        return complain_about("It is one of: %s.", option->choices, "--%s cannot be \"%s\"",
                              option->name, text);
    *target = index;
    return 0;
}

static int store_list(const Option *option, const char *text, TextList *target)
{
    if (target->count == LIST_MAX)
        return complain("Put some of them together.", "--%s is given too often", option->name);
    target->at[target->count++] = text;
    return 0;
}

/* Turn `text` into the option's member of `settings`, or say why not. */
static int store(Settings *settings, const Option *option, const char *text)
{
    void *target = (char *)settings + option->offset;
    const char *why = NULL;

    settings->given |= UINT64_C(1) << (option - option_table);
    switch (option->kind) {
    case KIND_FLAG:
        *(bool *)target = true;
        return 0;
    case KIND_TEXT:
        *(const char **)target = text;
        return 0;
    case KIND_LIST:
        return store_list(option, text, target);
    case KIND_CHOICE:
        return store_choice(option, text, target);
    case KIND_DURATION:
        why = amount_duration(text, target);
        break;
    case KIND_SIZE:
        why = amount_size(text, target);
        break;
    case KIND_SIZE32:
        why = amount_size32(text, target);
        break;
    case KIND_COUNT:
        why = amount_count(text, target);
        break;
    case KIND_SEED:
        why = amount_seed(text, target);
        break;
    case KIND_MOMENT:
        why = amount_moment(text, target);
        break;
    }
    if (why != NULL)
        return complain(why, "--%s cannot be \"%s\"", option->name, text);
    return 0;
}

/* Options of which a second one would silently undo the first; of the rest the last one counts. */
static int refuse_repeated(const Settings *settings, const Option *option)
{
    bool repeated = (settings->given >> (option - option_table) & 1) != 0;

    if (repeated && option->kind == KIND_TEXT &&
        (option->section == SECTION_PROGRAM || option->section == SECTION_POLICY))
        return complain("One is all that a run takes: put them together.", "--%s is given twice",
                        option->name);
    return 0;
}

/*
 * Take an option whose value is `inline_value` (after "=" or a letter), or else the next argument.
 * `shown` is how the person wrote it.
 */
static int take(Settings *settings, const Option *option, const char *shown,
                const char *inline_value, char **argv, int *index)
{
    const char *value = inline_value;

    if (option->kind == KIND_FLAG && inline_value != NULL)
        return complain("Write it alone.", "%s takes no value", shown);
    if (option->kind != KIND_FLAG && value == NULL) {
        const char *next = argv[*index + 1];
        bool is_option = next != NULL && next[0] == '-' && next[1] == '-' &&
                         option_by_name(next + 2, strlen(next + 2), COMMAND_ANY) != NULL;
        if (next == NULL || is_option)
            return complain_about(option->choices != NULL ? "It is one of: %s."
                                                          : "Write the %s after it.",
                                  option->choices != NULL ? option->choices : option->value,
                                  "%s needs a value", shown);
        value = next;
        *index += 1;
    }
    int wrong = refuse_repeated(settings, option);
    return wrong != 0 ? wrong : store(settings, option, value != NULL ? value : "");
}

/* --name, --name=value, --name value */
static int take_long(Settings *settings, char **argv, int *index)
{
    char *argument = argv[*index];
    const char *name = argument + 2;
    size_t length = strcspn(name, "=");
    unsigned wanted = settings->command == COMMAND_NONE ? COMMAND_ANY : settings->command;
    const Option *option = option_by_name(name, length, wanted);
    char shown[40];

    if (option == NULL)
        return unknown_option(settings, argument);
    snprintf(shown, sizeof shown, "--%s", option->name);
    return take(settings, option, shown, name[length] == '=' ? name + length + 1 : NULL, argv,
                index);
}

/* -q, -e CODE, -eCODE, -qe CODE */
static int take_short(Settings *settings, char **argv, int *index)
{
    const char *argument = argv[*index];
    unsigned wanted = settings->command == COMMAND_NONE ? COMMAND_ANY : settings->command;

    for (const char *letter = argument + 1; *letter != '\0'; letter++) {
        const Option *option = option_by_letter(*letter, wanted);
        char shown[3] = {'-', *letter, '\0'};
        if (*letter == 'h') {
            settings->help_short = true;
            continue;
        }
        if (option == NULL)
            return unknown_option(settings, letter == argument + 1 ? argument : shown);
        bool ends = option->kind != KIND_FLAG;
        int wrong = take(settings, option, shown, ends && letter[1] != '\0' ? letter + 1 : NULL,
                         argv, index);
        if (wrong != 0 || ends)
            return wrong;
    }
    return 0;
}

int unknown_command(const char *word)
{
    struct stat found;
    Suggestion suggestion = suggestion_begin(word, strlen(word));

    for (size_t i = 0; i < command_count; i++)
        suggestion_offer(&suggestion, command_table[i].name);
    if (suggestion.best != NULL)
        return complain_about("Did you mean `tenon %s`?", suggestion.best, "unknown command \"%s\"",
                              word);
    if (strcmp(word, "-") == 0 || stat(word, &found) == 0)
        return complain_about("To run it: tenon run %s", word, "unknown command \"%s\"", word);
    return complain("`tenon help` lists the commands.", "unknown command \"%s\"", word);
}

static int take_operand(Settings *settings, const char *word)
{
    if (settings->command == COMMAND_NONE) {
        const CommandInfo *info = command_by_name(word);
        if (info == NULL)
            return unknown_command(word);
        settings->command = info->command;
        return 0;
    }
    if (settings->command == COMMAND_MCP && strcmp(word, "import") == 0) {
        settings->command = COMMAND_IMPORT;
        return 0;
    }
    if (settings->operand_count == OPERAND_MAX) {
        return complain_about("Usage: tenon %s", command_name(settings->command),
                              "too many arguments, from \"%s\" on", word);
    }
    settings->operands[settings->operand_count++] = word;
    return 0;
}

/* Options that stood before the command were taken for any: are they the command's? */
static int check_scope(const Settings *settings)
{
    for (size_t i = 0; settings->command != COMMAND_NONE && i < option_count; i++) {
        if ((settings->given >> i & 1) != 0 && (option_table[i].commands & settings->command) == 0)
            return foreign_option(settings, option_table[i].name);
    }
    if (settings->command == COMMAND_VERSION && settings->operand_count > 0)
        return complain("Usage: tenon version", "version takes no argument, \"%s\"",
                        settings->operands[0]);
    return 0;
}

int settings_parse(int argc, char **argv, Settings *out_settings)
{
    Settings settings;
    bool only_operands = false;
    int wrong = 0;

    settings = (Settings){.limits = TN_INIT(tn_limits)};
    for (int i = 1; i < argc && wrong == 0; i++) {
        const char *argument = argv[i];
        if (only_operands || argument[0] != '-' || argument[1] == '\0')
            wrong = take_operand(&settings, argument);
        else if (strcmp(argument, "--") == 0)
            only_operands = true;
        else if (argument[1] == '-')
            wrong = take_long(&settings, argv, &i);
        else
            wrong = take_short(&settings, argv, &i);
    }
    if (wrong == 0)
        wrong = check_scope(&settings);
    if (wrong == 0)
        *out_settings = settings;
    return wrong;
}
