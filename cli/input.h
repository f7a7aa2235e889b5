/* What --input gives: a value, from the command line, a file or stdin. */
#ifndef TENON_CLI_INPUT_H
#define TENON_CLI_INPUT_H

#include "files.h"
#include "options.h"

typedef struct Input {
    Text text;
    tn_writer *writer;
} Input;

/* Complains and returns an exit code, or returns 0. */
int input_read(const Settings *settings, Input *out_input);
void input_release(Input *input);

/* TN_TYPE_NONE without --input. */
tn_value input_value(const Input *input);

#endif
