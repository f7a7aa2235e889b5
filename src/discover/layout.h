/* Declarations as text: on one line, or over several with their comments. */
#ifndef LAYOUT_H
#define LAYOUT_H

#include "buf.h"
#include "source.h"

/* A declaration file, and what of its tree is still needed when that is gone. */
typedef struct DeclaredFile {
    const char *text;
    size_t length;
    const uint8_t *ends; /* a bit for each offset: a member of a type ends there */
} DeclaredFile;

enum { SIGNATURE_BYTES_MAX = 700, COMMENT_BYTES_MAX = 2000, INDENT = 4 };

/** Without comments, blanks and line ends made one blank. Longer than SIGNATURE_BYTES_MAX it is
 * abridged: inner braces become `{ ... }`, then the end is cut. False: it was. */
bool layout_line(Buf *out, const DeclaredFile *file, Span span);

/** Line for line, indented anew by its brackets, without empty lines. The first line is indented by
 * `indent` blanks; no newline at the end. */
void layout_lines(Buf *out, const DeclaredFile *file, Span span, unsigned indent);

/** A comment with its signs: each line of a block begins with " * ". At most COMMENT_BYTES_MAX. */
void layout_comment(Buf *out, const char *text, size_t length, unsigned indent);

/** The comment, blank or string that begins at `at`: where it ends, and what it is ('/' comment, '
 * ' blanks, '"' string; 0: none of them, one byte). */
char layout_piece(const char *text, size_t end, size_t at, size_t *out_end);

#endif
