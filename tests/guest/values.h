/* Shared by the values*.c tests: a realm, and checks on what a snippet's value becomes. */
#ifndef VALUES_H
#define VALUES_H

#include "value.h"

#include "inside_values.h"

typedef struct Checks {
    JSRuntime *rt;
    JSContext *ctx;
    Buf out;
    unsigned passed;
    unsigned failed;
} Checks;

/** A fresh realm for the next tests; the counts go on. */
void realm_open(Checks *c);
void realm_close(Checks *c);

void check(Checks *c, bool passed, const char *what, const char *detail);

/** Evaluate; an exception is a failed check and undefined. */
JSValue eval(Checks *c, const char *source);
/** Evaluate to a boolean that must be true. */
void holds(Checks *c, const char *source);

/** Write with generous limits into c->out (cleared first). */
ValueStatus write_with(Checks *c, JSValueConst value, const ValueLimits *limits, char *message);

/** The snippet's value has these bytes, in hexadecimal with spaces anywhere. */
void bytes_are(Checks *c, const char *source, const char *hex);
/** Writing the snippet's value ends with this status and a message that holds `text`. */
void refused(Checks *c, const char *source, ValueStatus status, const char *text);
/** The snippet's value read back is written as the same bytes; then `condition` holds of `v`. */
void comes_back(Checks *c, const char *source, const char *condition);
/** These bytes cannot be read. */
void unreadable(Checks *c, const char *hex, ValueStatus status);
size_t hex_bytes(const char *hex, uint8_t *out, size_t size);

void test_write(Checks *c);
void test_read(Checks *c);
void test_hostile(Checks *c);
void test_errors(Checks *c);
void test_clone(Checks *c);
void test_memory(Checks *c);

#endif
