/*
 * The command line: one table of commands, one of options.
 *
 * Parsing, help and did-you-mean read these tables; the man page and the completion files are
 * written by hand, and a test compares them with what the tables print.
 */
#ifndef TENON_CLI_OPTIONS_H
#define TENON_CLI_OPTIONS_H

#include <tenon.h>

typedef enum Command {
    COMMAND_NONE = 0,
    COMMAND_RUN = 1,
    COMMAND_DOCTOR = 2,
    COMMAND_COMPLETION = 4,
    COMMAND_HELP = 8,
    COMMAND_VERSION = 16,
    COMMAND_CHECK = 32,
    COMMAND_SEARCH = 64,
    COMMAND_DESCRIBE = 128,
    COMMAND_PROMPT = 256,
    COMMAND_ASKS = COMMAND_SEARCH | COMMAND_DESCRIBE | COMMAND_PROMPT, /* of what there is */
    COMMAND_MCP = 512,
    COMMAND_TRUST = 1024,
    COMMAND_IMPORT = 2048, /* `tenon mcp import` */
    COMMAND_TRACE = 4096,
    COMMAND_GOVERNED = COMMAND_RUN | COMMAND_CHECK | COMMAND_ASKS | COMMAND_MCP,
    COMMAND_TYPES = 65536,
    COMMAND_ANY = 0xfffff
} Command;

/* How the text of an option becomes a member of Settings. */
typedef enum Kind {
    KIND_FLAG,     /* bool; takes no value */
    KIND_TEXT,     /* const char * */
    KIND_LIST,     /* TextList; may be given again */
    KIND_DURATION, /* uint32_t, milliseconds */
    KIND_SIZE,     /* uint64_t, bytes */
    KIND_SIZE32,   /* uint32_t, bytes */
    KIND_COUNT,    /* uint32_t */
    KIND_SEED,     /* uint64_t, zero allowed */
    KIND_MOMENT,   /* double, milliseconds since 1970 */
    KIND_CHOICE    /* int, index into choices */
} Kind;

typedef enum Section {
    SECTION_PROGRAM,
    SECTION_POLICY,
    SECTION_DOOR,
    SECTION_OUTPUT,
    SECTION_LIMITS,
    SECTION_WORLD,
    SECTION_JOURNAL,
    SECTION_OTHER,
    SECTION_COUNT
} Section;

typedef struct Option {
    const char *name;    /* without the dashes */
    char letter;         /* 0: no short form */
    const char *value;   /* what help calls its value; NULL for a flag */
    const char *choices; /* the words it takes, separated by spaces; or NULL */
    unsigned commands;   /* which commands take it */
    Section section;
    Kind kind;
    size_t offset;     /* in Settings */
    const char *brief; /* one line, for -h */
    const char *more;  /* what --help adds; or NULL */
} Option;

typedef struct CommandInfo {
    Command command;
    const char *name;
    const char *operands; /* for the usage line */
    const char *brief;
} CommandInfo;

enum { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };
enum { BOUNDS_GUARD, BOUNDS_CHECKED };
enum { CHECKER_AUTO, CHECKER_TSC, CHECKER_NONE };
enum { JOURNAL_NORMAL, JOURNAL_DURABLE, JOURNAL_MEMORY };
enum { OPERAND_MAX = 64, LIST_MAX = 32 };

typedef struct TextList {
    const char *at[LIST_MAX];
    size_t count;
} TextList;

/* What was asked for. All zero means: nothing said, so the default. */
typedef struct Settings {
    Command command;
    const char *operands[OPERAND_MAX];
    size_t operand_count;
    uint64_t given; /* bit i: option_table[i] was on the command line */

    const char *code;
    const char *input;
    bool no_check;
    int checker;
    TextList declarations, exports, servers;
    TextList services, credentials; /* of OpenAPI documents */
    bool no_mcp;
    bool fresh;
    const char *expect;
    const char *input_type;

    const char *policy;
    TextList allow, deny, ask, overrides, bound, fetch;

    const char *config, *http, *token;
    TextList origins;

    int journal;
    const char *journal_file;
    uint32_t keep;

    bool json, lsp, agent, no_agent, quiet, chrome;
    uint32_t tokens;
    int color;

    tn_limits limits;

    double now_ms;
    const char *zone;
    const char *locale;
    uint64_t seed;
    int bounds;

    bool list, revoke, yes, force, references;
    const char *to;

    bool help_short, help_long, version;
} Settings;

extern const Option option_table[];
extern const size_t option_count;
extern const CommandInfo command_table[];
extern const size_t command_count;

/* Was this option, by name, on the command line? */
bool settings_given(const Settings *settings, const char *option_name);

/* Read the command line. Prints what is wrong and returns EXIT_USAGE, or returns 0. */
int settings_parse(int argc, char **argv, Settings *out_settings);

const CommandInfo *command_by_name(const char *name);
/* Complain about a word that is no command. */
int unknown_command(const char *word);

#endif
