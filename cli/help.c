/* Help in two lengths. */
#include "help.h"

#include "complain.h"

#include <string.h>

enum { OPTION_COLUMN = 24, TEXT_COLUMN_LONG = 8, PAGE_WIDTH = 80 };

typedef struct Examples {
    Command command;
    const char *text;
} Examples;

static const Examples examples[] = {
    {COMMAND_NONE, "  tenon run -e '[1, 2, 3].map(n => n * n)'\n"
                   "  tenon run report.ts --input '{\"year\": 2026}' --wall 2s\n"
                   "  tenon check report.ts\n"
                   "  tenon doctor\n"},
    {COMMAND_RUN, "  tenon run -e '[1, 2, 3].map(n => n * n)'\n"
                  "  tenon run report.js --input '{\"year\": 2026}' --wall 2s --memory 32M\n"
                  "  cat program.js | tenon run - --json | jq .value\n"},
    {COMMAND_CHECK,
     "  tenon check report.ts\n"
     "  tenon check *.ts --declare github.d.ts --json | jq '.files[].findings[].code'\n"
     "  tenon check -e 'return 1' --expect string\n"},
    {COMMAND_SEARCH, "  tenon search create an issue --declare github.d.ts\n"
                     "  tenon search github --declare github.d.ts --tokens 500\n"
                     "  tenon search --declare github.d.ts --json | jq -r .text\n"},
    {COMMAND_DESCRIBE,
     "  tenon describe github.listIssues --declare github.d.ts\n"
     "  tenon describe 'github.*' --declare github.d.ts --tokens 8000\n"
     "  tenon describe github.Issue --declare github.d.ts --json | jq .complete\n"},
    {COMMAND_TYPES, "  tenon types --mcp servers.json\n"
                    "  tenon types files --mcp servers.json --fresh\n"
                    "  tenon types --mcp servers.json --json | jq '.[].functions'\n"},
    {COMMAND_PROMPT, "  tenon prompt\n"
                     "  tenon prompt --declare github.d.ts > prompt.txt\n"
                     "  tenon prompt --declare github.d.ts --tokens 500\n"},
    {COMMAND_MCP, "  tenon mcp --mcp servers.json\n"
                  "  tenon mcp --mcp servers.json --deny 'files.write*' --wall 10s\n"
                  "  tenon mcp --mcp servers.json --http 127.0.0.1:8808\n"},
    {COMMAND_IMPORT, "  tenon mcp import --list\n"
                     "  tenon mcp import --to servers.json\n"
                     "  tenon mcp import vscode codex --to servers.json --references\n"},
    {COMMAND_TRUST, "  tenon trust\n"
                    "  tenon trust ~/work/api/.mcp.json --yes\n"
                    "  tenon trust --list\n"},
    {COMMAND_TRACE, "  tenon trace\n"
                    "  tenon trace --list\n"
                    "  tenon trace k3v9 --chrome > trace.json\n"},
    {COMMAND_DOCTOR, "  tenon doctor\n"
                     "  tenon doctor --json | jq '.checks[] | select(.ok | not)'\n"
                     "  tenon doctor > /dev/null || echo 'no programs here'\n"},
    {COMMAND_COMPLETION, "  tenon completion bash > /etc/bash_completion.d/tenon\n"
                         "  tenon completion zsh > \"${fpath[1]}/_tenon\"\n"
                         "  tenon completion fish > ~/.config/fish/completions/tenon.fish\n"},
    {COMMAND_HELP, "  tenon help\n"
                   "  tenon help run\n"
                   "  tenon run -h\n"},
    {COMMAND_VERSION, "  tenon version\n"
                      "  tenon --version\n"
                      "  tenon -V\n"},
};

static const char *const section_titles[SECTION_COUNT] = {
    [SECTION_PROGRAM] = "Program",          [SECTION_POLICY] = "What it may call",
    [SECTION_DOOR] = "As a server",         [SECTION_OUTPUT] = "Output",
    [SECTION_LIMITS] = "Limits of the run", [SECTION_WORLD] = "World of the program",
    [SECTION_JOURNAL] = "Journal",          [SECTION_OTHER] = "Other",
};

static const char exit_codes[] =
    "\nExit codes:\n"
    "  0  ok\n"
    "  1  failed: the program threw\n"
    "  2  usage: the command line, or a file it names, cannot be used\n"
    "  3  refused: the program does not parse, or has findings; nothing ran\n"
    "  4  denied by policy\n"
    "  5  a limit was met\n"
    "  6  suspended\n"
    "  7  this machine cannot run programs: see tenon doctor\n"
    "  8  crashed: a fault in the engine, contained\n"
    "  130, 143  cancelled by SIGINT (Ctrl-C) or SIGTERM; a second one kills at once\n";

static const char environment[] =
    "\nEnvironment:\n"
    "  NO_COLOR, FORCE_COLOR, TERM   whether --color auto means colour\n"
    "  TENON_TSC                     the TypeScript compiler, instead of the one built in\n"
    "  XDG_STATE_HOME, HOME          where the journal is, and which .mcp.json is trusted\n"
    "  AI_AGENT and the like         see --agent\n";

static const CommandInfo *info_of(Command command)
{
    for (size_t i = 0; i < command_count; i++) {
        if (command_table[i].command == command)
            return &command_table[i];
    }
    return NULL;
}

/* Print words from `column` on, breaking lines before PAGE_WIDTH. */
static void put_wrapped(FILE *stream, const char *text, int indent)
{
    int column = indent;

    fprintf(stream, "%*s", indent, "");
    while (*text != '\0') {
        int length = (int)strcspn(text, " ");
        if (column > indent && column + 1 + length > PAGE_WIDTH) {
            fprintf(stream, "\n%*s", indent, "");
            column = indent;
        }
        column += fprintf(stream, "%s%.*s", column > indent ? " " : "", length, text);
        text += length;
        text += strspn(text, " ");
    }
    fputc('\n', stream);
}

/* "  -e, --eval CODE" */
static int put_option_name(FILE *stream, const Option *option)
{
    const char *value = option->value != NULL ? option->value : "";
    const char *gap = option->value != NULL ? " " : "";
    char letter[8] = "    ";

    if (option->letter != 0)
        snprintf(letter, sizeof letter, "-%c, ", option->letter);
    return fprintf(stream, "  %s--%s%s%s", letter, option->name, gap, value);
}

static void put_option_short(FILE *stream, const Option *option)
{
    int width = put_option_name(stream, option);
    fprintf(stream, "%*s%s\n", width < OPTION_COLUMN ? OPTION_COLUMN - width : 1, "",
            option->brief);
}

static void put_option_long(FILE *stream, const Option *option)
{
    char first[200];

    put_option_name(stream, option);
    fputc('\n', stream);
    snprintf(first, sizeof first, "%s.", option->brief);
    put_wrapped(stream, first, TEXT_COLUMN_LONG);
    if (option->more != NULL)
        put_wrapped(stream, option->more, TEXT_COLUMN_LONG);
}

/* Every option of a command, by section. */
static void put_options(FILE *stream, Command command,
                        void (*put)(FILE *stream, const Option *option))
{
    for (int section = 0; section < SECTION_COUNT; section++) {
        bool titled = false;
        for (size_t i = 0; i < option_count; i++) {
            const Option *option = &option_table[i];
            if ((int)option->section != section || (option->commands & command) == 0)
                continue;
            if (!titled)
                fprintf(stream, "\n%s:\n", section_titles[section]);
            titled = true;
            put(stream, option);
        }
    }
}

static void put_commands(FILE *stream)
{
    fputs("\nCommands:\n", stream);
    for (size_t i = 0; i < command_count; i++) {
        int width = fprintf(stream, "  %s %s", command_table[i].name, command_table[i].operands);
        fprintf(stream, "%*s%s\n", width < 32 ? 32 - width : 1, "", command_table[i].brief);
    }
}

static void put_usage(FILE *stream, Command command)
{
    const CommandInfo *info = info_of(command);

    if (info == NULL)
        fputs("tenon runs programs that a language model wrote, where they can do no harm.\n\n"
              "Usage: tenon COMMAND [OPTIONS]\n",
              stream);
    else
        fprintf(stream, "%s.\n\nUsage: tenon %s%s%s [OPTIONS]\n", info->brief, info->name,
                *info->operands != '\0' ? " " : "", info->operands);
}

void help_short(FILE *stream, Command command)
{
    put_usage(stream, command);
    if (command == COMMAND_NONE) {
        put_commands(stream);
        fputs("\n`tenon help COMMAND` explains one; `tenon --help` has examples.\n", stream);
        return;
    }
    put_options(stream, command, put_option_short);
    fprintf(stream, "\n`tenon help %s` explains each and has examples.\n", info_of(command)->name);
}

void help_long(FILE *stream, Command command)
{
    fputs("Examples:\n", stream);
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++) {
        if (examples[i].command == command)
            fputs(examples[i].text, stream);
    }
    fputc('\n', stream);
    put_usage(stream, command);
    if (command == COMMAND_NONE)
        put_commands(stream);
    if (command == COMMAND_RUN)
        fputs("\nThe value goes to stdout, after what the program printed with console.log;\n"
              "console.warn, console.error and the report of an error go to stderr.\n",
              stream);
    put_options(stream, command == COMMAND_NONE ? COMMAND_HELP : command, put_option_long);
    if (command == COMMAND_RUN || command == COMMAND_NONE) {
        fputs(exit_codes, stream);
        fputs(environment, stream);
    }
    fputs("\nManual: man tenon\n", stream);
}

int help_command(const Settings *settings)
{
    const CommandInfo *info = NULL;

    if (settings->operand_count == 2 && strcmp(settings->operands[0], "mcp") == 0 &&
        strcmp(settings->operands[1], "import") == 0) {
        help_long(stdout, COMMAND_IMPORT);
        return EXIT_OK;
    }
    if (settings->operand_count > 1)
        return complain("tenon help run", "help explains one command at a time");
    if (settings->operand_count == 1) {
        info = command_by_name(settings->operands[0]);
        if (info == NULL)
            return unknown_command(settings->operands[0]);
    }
    help_long(stdout, info != NULL ? info->command : COMMAND_NONE);
    return EXIT_OK;
}
