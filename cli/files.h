/* Whole files into memory, with a ceiling. */
#ifndef TENON_CLI_FILES_H
#define TENON_CLI_FILES_H

#include <stddef.h>
#include <stdint.h>

typedef struct Text {
    char *bytes; /* malloc'ed, ends in NUL */
    size_t length;
} Text;

/* Only what no program or input is: the limits of a run are the library's to keep and to report. */
enum { FILE_BYTES_MAX = 64 * 1024 * 1024 };

/* What is read, for the words of a complaint. */
typedef struct ReadJob {
    const char *path;   /* "-": stdin */
    const char *what;   /* "program" or "input" */
    const char *remedy; /* for a file that is too large */
    uint64_t limit_bytes;
} ReadJob;

/* Read it all. Complains and returns EXIT_USAGE if that cannot be done, or returns 0. */
int file_read(const ReadJob *job, Text *out_text);

/* All of `descriptor`, up to one byte past `limit`. Returns 0, or errno with what was read so far
 * (EFBIG: there is more). */
int file_read_open(int descriptor, size_t limit, Text *out_text);

#endif
