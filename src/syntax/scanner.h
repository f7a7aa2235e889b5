/*
 * Bytes to tokens. The scanner stands on one token: where it is, what it is, and what is to be
 * known of it. A few tokens depend on who asks (`>`, `/`, `<<`, `}` in a template); for these the
 * scanner first takes the usual view, and the parser has it scan again.
 */
#ifndef SCANNER_H
#define SCANNER_H

#include "complaint.h"
#include "intern.h"

typedef enum ScanFlag {
    SCAN_LINE_BREAK = 1 << 0,   /* a line ended between the token before and this one */
    SCAN_ESCAPED = 1 << 1,      /* written with escapes, so its text is not its meaning */
    SCAN_UNTERMINATED = 1 << 2, /* string, template, regular expression */
    SCAN_INVALID = 1 << 3,      /* an escape that means nothing; in a template only that */
    SCAN_LEGACY = 1 << 4,       /* 017, 09 */
    SCAN_SEPARATED = 1 << 5,    /* 1_000 */
} ScanFlag;

typedef struct Scanner {
    const uint8_t *text; /* ends in NUL */
    uint32_t end;
    uint32_t at;         /* past the token */
    uint32_t full_start; /* past the token before */
    uint32_t start;
    uint16_t token;
    uint16_t flags;
    Complaints *complaints;
} Scanner;

void scanner_init(Scanner *scanner, const Source *source, Complaints *complaints);

Token scanner_next(Scanner *scanner);

/** `>` with what follows it: `>=`, `>>`, `>>=`, `>>>`, `>>>=`. */
Token scanner_join_greater(Scanner *scanner);

/** The first character of `<<`, `*=` or `??` alone. */
Token scanner_split(Scanner *scanner, Token first);

/** `/` or `/=` as the start of a regular expression. */
Token scanner_regular_expression(Scanner *scanner);

/** A template's piece again from its start, which is "`" or "}". Complains about its escapes unless
 * it is tagged: a tag may have any. */
Token scanner_template(Scanner *scanner, bool tagged);

/** What a name, string or template piece from `start` to `end` means; `quotes` bytes are cut off
 * at its ends. NULL if an escape means nothing. */
Name *scanner_cook(const Scanner *scanner, Names *names, Arena *arena, uint32_t start, uint32_t end,
                   bool template);

/* ---- between scanner.c, scanner_text.c and regexp*.c ---- */

Token scan_string(Scanner *scanner);
Token scan_template(Scanner *scanner, bool report);
Token scan_number(Scanner *scanner);

/* `\u{digits}`; `\uFFFF` or `\xFF`, from the backslash on. Returns what it means, -1: nothing. */
int32_t scan_braced_escape(Scanner *scanner, bool report);
int32_t scan_hex_escape(Scanner *scanner, uint32_t digits, bool report);

/* The code point at a place, and its bytes; U+FFFD and 1 for what is not UTF-8. */
uint32_t code_at(const Scanner *scanner, uint32_t at, uint32_t *out_bytes);
bool starts_name(uint32_t code);
bool continues_name(uint32_t code);

/* Goes past the rest of a name, its escapes too. */
void scan_name_rest(Scanner *scanner);
/* If an escape at `at` stands for a character that may begin a name, go past it. */
bool scan_name_escape(Scanner *scanner, bool first);

SELDOM void scan_complain(Scanner *scanner, unsigned code, uint32_t start, uint32_t end);

#endif
