/* What `tenon run` and `tenon check` do alike: an engine with declarations, and what is asked of a
 * program. */
#ifndef TENON_CLI_PREPARE_H
#define TENON_CLI_PREPARE_H

#include "files.h"
#include "options.h"

/* The options of a program, and the texts they point to. */
typedef struct Asked {
    tn_program_options options;
    tn_export exports[LIST_MAX];
    tn_input_type *inputs;
    char **texts; /* of inputs: their types */
    size_t text_count;
    char *names[LIST_MAX];
} Asked;

/* The TypeScript compiler to check with, NULL: none. */
const char *prepare_compiler(void);

/* Make the engine and read the declarations into it; fetch is there where the policy (or NULL)
 * grants something. Complains and returns an exit code, or 0. */
int prepare_engine(const Settings *settings, const tn_policy *policy, tn_engine **out_engine);

/* The same in two steps, since servers take their time to open. */
int prepare_closed(const Settings *settings, const tn_policy *policy, tn_engine **out_engine);
int prepare_open(tn_engine *engine, const tn_policy *policy);

/* What the command line asks of a program. `input` may be TN_TYPE_NONE. */
int prepare_program(const Settings *settings, tn_value input, Asked *out_asked);
void asked_release(Asked *asked);

/* The name a program goes by: of its file, or that of a program on the command line. */
const char *program_name(const Settings *settings, const char *path);

#endif
