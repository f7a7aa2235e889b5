/* The validator's inside: one check, what it knows and what it has said. */
#ifndef CHECK_SCHEMA_H
#define CHECK_SCHEMA_H

#include "graph.h"

/* Which members or elements of one value some schema has looked at. */
typedef struct Marks {
    uint64_t *bits;
    uint32_t count;
} Marks;

/* Where in the value we are. */
typedef struct Where {
    const struct Where *up;
    const DatumMember *member; /* NULL: an element, or the root */
    uint32_t index;
} Where;

/* The resources that were entered on the way, innermost first: what dynamic references ask. */
typedef struct Scope {
    const struct Scope *up;
    const Resource *resource;
} Scope;

typedef struct Check {
    Arena *arena;
    const SchemaDocument *document;
    SchemaCheckOptions options;
    Matcher matcher;
    uint64_t steps;      /* left */
    double deadline_ms;  /* 0: the clock was not looked at yet */
    uint32_t depth;      /* left */
    const char *stopped; /* why the check is given up; from then on every answer means nothing */
    const Scope *scope;
    struct Memo *memo;
    bool unsure;             /* something was met that could not be read, and was taken to fit */
    bool explaining;         /* what fails is noted, and the rest is looked at as well */
    SchemaFailure *failures; /* newest first */
    uint32_t failure_count;
    unsigned failure_depth; /* of the deepest: how far into the value it is */
} Check;

/** Does the value fit? `marks`, if given, learns what was looked at; nothing of it counts if the
 * answer is no. */
bool check_schema(Check *check, const Schema *schema, const Datum *value, const Where *where,
                  Marks *marks);

/** Count work; true if the check is to end. */
bool check_spend(Check *check, uint64_t steps);
void check_stop(Check *check, const char *reason);

bool marks_new(Check *check, const Datum *value, Marks *out_marks);
void marks_add(Marks *marks, const Marks *more);
static inline void marks_set(Marks *marks, uint32_t index)
{
    if (marks)
        marks->bits[index / 64] |= 1ull << index % 64;
}
static inline bool marks_has(const Marks *marks, uint32_t index)
{
    return marks->bits[index / 64] >> index % 64 & 1;
}

/** Rules of a value alone: type, const, enum, numbers, lengths, texts. */
bool check_single(Check *check, const Schema *schema, const Rule *rule, const Datum *value,
                  const Where *where);

/** Match a text; a search that gives up ends the check. */
bool check_pattern(Check *check, const Pattern *pattern, const char *text, size_t length);

/* Rules of objects and arrays: each looks only at its own kind of value. */
bool check_members(Check *check, const Rule *rule, const Datum *value, const Where *where,
                   Marks *marks);
bool check_required(Check *check, const Rule *rule, const Datum *value, const Where *where);
bool check_property_names(Check *check, const Rule *rule, const Datum *value, const Where *where);
bool check_dependent(Check *check, const Rule *rule, const Datum *value, const Where *where,
                     Marks *marks);
bool check_elements(Check *check, const Rule *rule, const Datum *value, const Where *where,
                    Marks *marks);
bool check_contains(Check *check, const Schema *schema, const Rule *rule, const Datum *value,
                    const Where *where, Marks *marks);
bool check_unique(Check *check, const Datum *value, const Where *where);
bool check_unevaluated(Check *check, const Rule *rule, const Datum *value, const Where *where,
                       Marks *marks);

/** Is the text of that format, as far as it is known? Unknown formats are all well. */
bool format_fits(SchemaText format, SchemaText text);

/* ---- explain.c: what is said of a failure ---- */

/** Note a failure, if there is still room, and answer false. `expected` is the check's own. */
bool check_fail(Check *check, const Where *where, const char *keyword, const char *expected,
                const Datum *got);
/** The same with an arena text as what was got. */
bool check_fail_as(Check *check, const Where *where, const char *keyword, const char *expected,
                   const char *got);

/** Types in words: "string or null". */
const char *explain_types(Check *check, unsigned types);

/** A value in words, at most about 60 bytes of it: `the number 5`, `an array of 3`. */
const char *explain_value(Check *check, const Datum *value);

/** A value as JSON, cut short. */
const char *explain_json(Check *check, const Datum *value);

/** Text in quotes, cut short and without control characters. */
const char *explain_text(Check *check, const char *text, size_t length);

/** None of the alternatives fits: say why of the one that comes nearest. */
bool explain_alternatives(Check *check, const SchemaList *list, const Datum *value,
                          const Where *where, const char *keyword);

#endif
