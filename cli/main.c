/*
 * cli/: the `tenon` command, a door to the library.
 *
 * It uses include/tenon.h and nothing else of the tree: whatever it does, an embedder can do. Most
 * of it is the manners of a command: exact words for what is wrong on the command line, data on
 * stdout and everything else on stderr, colour only where a person looks, exit codes that do not
 * change, a Ctrl-C that still gets an outcome.
 *
 * Reading order:
 *   options.c     the tables of commands and options, and the parser that works by them
 *   amounts.c     2s, 64M, 2026-01-31: amounts as people write them
 *   suggest.c     did you mean
 *   help.c        -h, --help and `tenon help`, from the same tables
 *   run.c         `tenon run`: read, compile, run
 *   check.c       `tenon check`: compile only
 *   prepare.c     what both do alike: the engine, declarations, what is asked of a program
 *   input.c       --input
 *   policy.c      --policy, --allow, --deny, --ask; ask.c: a question at the terminal;
 *                 elicit.c: what a server asks there
 *   files.c       whole files and stdin; secret.c: secrets by reference; kept.c: memory of a while
 *   json_fault.c  where an --input stops being JSON
 *   interrupt.c   signals while a program runs
 *   report.c      the outcome, for a person, a script or a model; style.c: for whom
 *   findings.c    what was found before it ran; lsp.c: the same for editors
 *   excerpt.c     a line of the program with a caret
 *   print.c       streams: colour, and a stranger's control characters
 *   servers.c     --mcp and .mcp.json: which files count; server.c: one server of them,
 * variables.c:
 *                 ${...} in it, jsonc.c: their syntax
 *   trust.c       may a .mcp.json be used; trusting.c: `tenon trust`; import.c: `tenon mcp import`
 *   search.c      `tenon search`, `tenon describe`, `tenon prompt`
 *   types.c       `tenon types`; cache.c: where what was learned is kept
 *   journal.c     --journal: where runs are written down; trace.c: `tenon trace`
 *   doctor.c      `tenon doctor`
 *   completion.c  the scripts in completion/, built in
 *   complain.c    what is wrong and how to mend it; the exit codes
 *
 * The invariant: stdout holds only what was asked for. A complaint, a note or a program's warning
 * never lands there, so that `tenon run x --json | jq` cannot be broken by anything the program
 * does.
 */
#include "check.h"
#include "complain.h"
#include "completion.h"
#include "doctor.h"
#include "help.h"
#include "import.h"
#include "options.h"
#include "run.h"
#include "search.h"
#include "serve.h"
#include "trace.h"
#include "trusting.h"
#include "types.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

static int print_version(void)
{
    printf("tenon %s\n", tn_version());
    return EXIT_OK;
}

/* Help and version wherever they stand, then the command. */
static int dispatch(const Settings *settings)
{
    if (settings->help_long || settings->help_short) {
        (settings->help_long ? help_long : help_short)(stdout, settings->command);
        return EXIT_OK;
    }
    if (settings->version)
        return print_version();

    switch (settings->command) {
    case COMMAND_RUN:
        return run_command(settings);
    case COMMAND_CHECK:
        return check_command(settings);
    case COMMAND_SEARCH:
        return search_command(settings);
    case COMMAND_DESCRIBE:
        return describe_command(settings);
    case COMMAND_PROMPT:
        return prompt_command(settings);
    case COMMAND_TYPES:
        return types_command(settings);
    case COMMAND_MCP:
        return mcp_command(settings);
    case COMMAND_IMPORT:
        return import_command(settings);
    case COMMAND_TRUST:
        return trust_command(settings);
    case COMMAND_TRACE:
        return trace_command(settings);
    case COMMAND_DOCTOR:
        return doctor_command(settings);
    case COMMAND_COMPLETION:
        return completion_command(settings);
    case COMMAND_HELP:
        return help_command(settings);
    case COMMAND_VERSION:
        return print_version();
    case COMMAND_NONE:
    case COMMAND_ASKS:
    case COMMAND_GOVERNED:
    case COMMAND_ANY:
        break;
    }
    help_short(stderr, COMMAND_NONE);
    return EXIT_USAGE;
}

/*
 * A standard stream that was closed would be the next file we open, and the value would be written
 * into it. Stand something there that refuses what the stream is for.
 */
static void reserve_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++) {
        if (fcntl(stream, F_GETFD) >= 0)
            continue;
        int refusing = open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY);
        if (refusing >= 0 && refusing != stream)
            close(refusing);
    }
}

int main(int argc, char **argv)
{
    Settings settings;

    reserve_standard_streams();
    /* A reader that stops early (| head) is no fault: the write tells, and the exit code stays. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN); /* nor is a file that may not grow */
    int wrong = settings_parse(argc, argv, &settings);
    return wrong != 0 ? wrong : dispatch(&settings);
}
