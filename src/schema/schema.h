/*
 * schema: JSON Schema, read once, said as a TypeScript type and held against values.
 *
 * Tools of MCP servers and operations of OpenAPI services describe themselves in JSON Schema. A
 * program that a model writes sees them as TypeScript, and what it passes is held against the whole
 * schema before it leaves: what TypeScript cannot say (lengths, patterns, conditions) stands in the
 * comments of the type and is enforced by the check. Draft-07, 2019-09, 2020-12, and the dialects
 * of OpenAPI 3.0 and 3.1, which differ in a handful of keywords and are read into one graph.
 *
 * Read in this order:
 *
 *   datum      a JSON value as a tree: the schema's document, and each value that is checked
 *   decimal    numbers exactly as JSON has them
 *   uri        references of `$ref` and `$id`, as names only
 *   graph.h    what is known of a schema: keywords with their meaning, places, resources
 *   place      where schemas are in a document, by $id, anchors and pointers; every `$ref` resolved
 *   read       keywords read and judged; circles that never enter the value found
 *   pattern    regular expressions of ECMA-262, by PCRE2
 *   names      identifiers for names of every kind, one for each
 *   comment    text from outside put into comments that it cannot leave
 *   type       the TypeScript: type_join, type_object, type_array
 *   check      the validator: check_value, check_object, check_array, format; explain for what it
 *              says of a value
 *
 * The invariant: **a schema is data from someone we do not know.** Nothing of it is executed or
 * fetched, nothing of it leaves its comment or its string literal. What is wrong in it costs the
 * part that is wrong (it becomes `unknown`, and is reported), never its neighbours. And work is
 * bounded: reading and the type by the document's size (each subschema is read once and each
 * named part said once), a check by subschemas times values, with `steps` and `time_ms` as the end
 * of it; a check that was given up says so (SCHEMA_UNDECIDED) and is never taken for a yes.
 */
#ifndef SCHEMA_H
#define SCHEMA_H

#include "arena.h"
#include "buf.h"

/** A view of text. */
typedef struct SchemaText {
    const char *text;
    size_t length;
} SchemaText;

typedef enum SchemaDialect {
    SCHEMA_DIALECT_AUTO = 0, /* what `$schema` says; without it 2020-12, as MCP has it */
    SCHEMA_DRAFT_07,
    SCHEMA_2019_09,
    SCHEMA_2020_12,
    SCHEMA_OPENAPI_30,
    SCHEMA_OPENAPI_31
} SchemaDialect;

/** What one document may cost. Zero in a field means the default. */
typedef struct SchemaLimits {
    uint32_t values;        /* JSON values in the document; 1,000,000 */
    uint32_t depth;         /* nesting of it; 500 */
    uint32_t names;         /* `$id` and anchors; 500 */
    uint32_t patterns;      /* regular expressions; 2000 */
    uint32_t pattern_bytes; /* of one; 4000 */
    uint32_t faults;        /* kept in the report; 50 */
} SchemaLimits;

/** Something of a schema that cannot be used. */
typedef struct SchemaFault {
    const char *pointer; /* JSON pointer of the place in the document */
    const char *reason;  /* one short sentence, no text of the schema in it */
    struct SchemaFault *next;
} SchemaFault;

/** What was wrong, in the order it was found. Zero it before. Grows with each schema_at. */
typedef struct SchemaReport {
    SchemaFault *first, *last;
    uint32_t count; /* all of them; as many are kept as the limits say */
} SchemaReport;

/** A document with schemas in it: one that is a schema, or an OpenAPI description. */
typedef struct SchemaDocument SchemaDocument;

/** One schema of a document, with everything that it refers to. Read-only once it is there. */
typedef struct Schema Schema;

/**
 * Open a document whose schemas are then taken by schema_at.
 *
 * Ownership: all is in the arena; texts are views of `document`, which must live as long, and so
 *            must the report.
 * Errors:    TN_ERR_LIMIT, TN_ERR_NOMEM, TN_ERR_ARGUMENT (not a value; it holds itself).
 * Threads:   one at a time until the last schema_at; afterwards schemas are shared freely.
 */
tn_status schema_open(Arena *arena, tn_value document, SchemaDialect dialect,
                      const SchemaLimits *limits, SchemaReport *report,
                      SchemaDocument **out_document);

/**
 * The schema at a JSON pointer ("" is the whole). What is wrong in it is reported, not an error:
 * the worst schema is one that says nothing.
 *
 * In the dialects of OpenAPI the format "x-tenon-bytes" means bytes, which JSON has no word for: it
 * is written by who makes such a document of requests and answers.
 *
 * Errors: TN_ERR_NOT_FOUND (the pointer leads nowhere), TN_ERR_LIMIT, TN_ERR_NOMEM.
 */
tn_status schema_at(SchemaDocument *document, const char *pointer, const Schema **out_schema);

/** Both, for a document that is one schema. */
tn_status schema_read(Arena *arena, tn_value document, SchemaDialect dialect,
                      const SchemaLimits *limits, SchemaReport *report, const Schema **out_schema);

/* ---- names ---- */

/** Identifiers that are taken in one scope. */
typedef struct SchemaNames SchemaNames;

/** An empty table; the names of TypeScript's own types are taken in it. NULL if the arena fails. */
SchemaNames *schema_names_new(Arena *arena);

/**
 * Identifiers for a set of wire names (tools, operations), put into `out_identifiers` in the same
 * order. Each is a valid identifier of its own, in NFC, no word of the language, and the same
 * whatever order the names come in: one that is an identifier already keeps it; `get-user` is
 * `get_user` if nothing else wants to be; else those that would be the same get a suffix made from
 * their wire names. Equal names get one identifier. Not more than 64 bytes of ASCII, or a cut and a
 * suffix. An empty name gets one too: whether it may be called is the caller's matter.
 *
 * Ownership: in the arena. Errors: TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status schema_names_assign(Arena *arena, const SchemaText *names, size_t count,
                              const char **out_identifiers);

/**
 * A new name for a type: the prefix, then the words of `wish` with capitals ("Tree" and "my-node"
 * is "TreeMyNode"), numbered from 2 on if it is taken. NULL if the arena fails.
 */
const char *schema_names_type(SchemaNames *names, const char *prefix, SchemaText wish);

/* ---- the type ---- */

typedef struct SchemaTypeOptions {
    const char *prefix; /* of the names of declared parts, and the name of a root that refers to
                           itself: "CreateIssueInput". Required, an identifier or "" */
    bool object;        /* the value is an object whatever the schema says: arguments of a tool */
    uint32_t description_bytes; /* kept of each description; 0: 600 */
    uint32_t type_bytes; /* of all text made for it; what is past it is unknown. 0: 256 KiB */
} SchemaTypeOptions;

/** Types of schemas of one document that share their declarations. */
typedef struct SchemaTypes SchemaTypes;

/**
 * Begin to say schemas of one document as types.
 *
 * Ownership: options' texts, names and report are borrowed as long as it is used; all else is in
 *            the arena. Errors: TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status schema_types_new(Arena *arena, SchemaDocument *document, SchemaNames *names,
                           const SchemaTypeOptions *options, SchemaTypes **out_types);

/**
 * A type as TypeScript text: what is named in it is declared in schema_types_declarations.
 * Ownership: in the arena. Errors: TN_ERR_NOMEM, TN_ERR_LIMIT.
 */
tn_status schema_types_text(SchemaTypes *types, const Schema *schema, SchemaText *out_text);

/** The name of a schema that is to have one (a component of a service): declared from now on, by
 * the last word of its pointer. Ownership and errors as schema_types_text. */
tn_status schema_types_name(SchemaTypes *types, const Schema *schema, const char **out_name);

/** `type Name = ...;` for every named part so far, in the order they were met. In the arena. */
tn_status schema_types_declarations(SchemaTypes *types, SchemaText *out_text);

/** The two together for one schema that is a document. `options->prefix` names it if it recurs. */
tn_status schema_type(Arena *arena, const Schema *schema, SchemaNames *names,
                      const SchemaTypeOptions *options, SchemaText *out_declarations,
                      SchemaText *out_text);

/**
 * Put a comment for a function or a type: `description` as someone else's words, in typographic
 * quotes, at most `limit_bytes` of it and then how much was left out; `facts` (ours, may be empty)
 * after it. Each line begins with `indent` blanks. Nothing is put if both are empty.
 */
void schema_comment(Buf *buf, unsigned indent, SchemaText description, uint32_t limit_bytes,
                    SchemaText facts);

/**
 * Put what a comment says of a schema that has no comment of its own, being the whole of an
 * argument or a result: its description, and what the check enforces and the type does not say.
 * `before` first, a full stop at the end; nothing if there is nothing to say. It still has to be
 * cleaned, as the `facts` of schema_comment are.
 */
void schema_facts(const Schema *schema, const char *before, Buf *buf);

/* ---- the check ---- */

typedef enum SchemaVerdict {
    SCHEMA_VALID,
    SCHEMA_INVALID,
    SCHEMA_UNDECIDED /* given up: too large, too deep, too much work; never a yes */
} SchemaVerdict;

typedef struct SchemaCheckOptions {
    bool formats;      /* `format` refuses too, for the formats that are known */
    uint32_t failures; /* how many are told at most; 0: 1 */
    uint64_t steps;    /* subschemas times values that are looked at; 0: 20,000,000 */
    uint32_t time_ms;  /* wall time; 0: 1000 */
    uint32_t depth;    /* schemas applied inside each other; 0: 3000 (up to 2 MiB of stack) */
} SchemaCheckOptions;

/** One thing that does not fit. Texts are in the arena of the check. */
typedef struct SchemaFailure {
    const char *path;     /* of the value: "$.items[0].id" */
    const char *expected; /* "a string of at least 3 characters" */
    const char *got;      /* "the string \"ab\"" */
    const char *keyword;  /* of the schema that refused: "minLength" */
    struct SchemaFailure *next;
} SchemaFailure;

typedef struct SchemaOutcome {
    SchemaVerdict verdict;
    const SchemaFailure *failures; /* in the order of the schema's keywords; NULL if valid */
    const char *reason;            /* of SCHEMA_UNDECIDED: one short sentence */
} SchemaOutcome;

/**
 * Hold a value against a schema.
 *
 * Numbers are compared as decimals, lengths counted in code points, members in any order. What JSON
 * does not have (a Date, bytes, NaN) fits no `type`; a big integer is a number; a member that is
 * undefined is not there.
 *
 * Ownership: `scratch` gives all memory, and holds what is told.
 * Errors:    TN_ERR_NOMEM. What is too large is SCHEMA_UNDECIDED, no error.
 * Threads:   any number at a time on one schema, each with its own arena.
 */
tn_status schema_check(const Schema *schema, tn_value value, const SchemaCheckOptions *options,
                       Arena *scratch, SchemaOutcome *out_outcome);

#endif
