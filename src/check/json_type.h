/* The type of a JSON value, told from the value. */
#ifndef JSON_TYPE_H
#define JSON_TYPE_H

#include "arena.h"
#include "json_tape.h"

/*
 * An object may be a record, whose members have each a meaning, or a table, whose keys are data.
 * The value does not tell. It is taken for a record, so that a misspelt member is found, until the
 * program indexes it by a string that it computed; then it is a table as well: its known keys keep
 * their types, and any other gives one of its values.
 */
typedef struct JsonTable {
    const struct JsonTable *next;
    const char **names; /* of the members, in order */
    size_t count;
    bool cut; /* there are more */
} JsonTable;

/** Read the names of the members of a type as the compiler prints it, `{ a: number; "b c": X; }`.
 * NULL if it is no object. */
JsonTable *json_table_read(Arena *arena, const char *type);

/** Append the type of the value at `token`. Errors are told by the Buf. */
void json_type_put(Buf *out, const Tape *tape, uint32_t token, const JsonTable *tables);

/** The type of a `$type` form, "any" of one that is not known; NULL for an object that is none. */
const char *json_type_form(const Tape *tape, uint32_t object);

#endif
