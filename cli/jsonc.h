/* JSON as people keep it in files: with comments, and with a comma before a closing bracket. */
#ifndef TENON_CLI_JSONC_H
#define TENON_CLI_JSONC_H

#include "files.h"

#include <tenon.h>

typedef struct Jsonc {
    const char *path; /* what complaints call it; borrowed */
    Text text;        /* comments are blanks in it, all else stands where it stood */
    tn_writer *writer;
} Jsonc;

/* Read what `text` holds, which is taken. Complains and returns an exit code, or 0. */
int jsonc_parse(Jsonc *out, const char *path, Text text);
int jsonc_read(Jsonc *out, const char *path, const char *what);
tn_value jsonc_value(const Jsonc *jsonc);
void jsonc_release(Jsonc *jsonc);

/*
 * The line, from 1, on which `needle` stands in the member that `keys` lead to (each in the object
 * before it, ended by NULL); else that of the member, or of the last one that can be found.
 */
size_t jsonc_line(const Jsonc *jsonc, const char *const *keys, const char *needle);

#endif
