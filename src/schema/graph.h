/*
 * What is known of the schemas of a document: the graph that reading makes, and that the type and
 * the check walk. Nothing outside this folder sees it.
 */
#ifndef GRAPH_H
#define GRAPH_H

#include "datum.h"
#include "pattern.h"
#include "schema.h"

/* Types as bits. An integer is a number too: "number" is both bits. */
enum {
    TYPE_NULL = 1,
    TYPE_BOOLEAN = 2,
    TYPE_FRACTION = 4,
    TYPE_INTEGER = 8,
    TYPE_STRING = 16,
    TYPE_ARRAY = 32,
    TYPE_OBJECT = 64,
    TYPE_NUMBER = TYPE_FRACTION | TYPE_INTEGER,
    TYPE_ALL = 127
};

/* Rules: what keywords come to, in the order in which they are applied. Those that look at what
 * others left over come last. */
typedef enum RuleKind {
    RULE_TYPE,
    RULE_CONST,
    RULE_ENUM,
    RULE_MULTIPLE_OF,
    RULE_MINIMUM,
    RULE_MAXIMUM,
    RULE_EXCLUSIVE_MINIMUM,
    RULE_EXCLUSIVE_MAXIMUM,
    RULE_MIN_LENGTH,
    RULE_MAX_LENGTH,
    RULE_PATTERN,
    RULE_FORMAT,
    RULE_MIN_PROPERTIES,
    RULE_MAX_PROPERTIES,
    RULE_REQUIRED,
    RULE_MEMBERS, /* properties, patternProperties, additionalProperties */
    RULE_PROPERTY_NAMES,
    RULE_DEPENDENT_REQUIRED,
    RULE_DEPENDENT_SCHEMAS,
    RULE_DEPENDENCIES,
    RULE_MIN_ITEMS,
    RULE_MAX_ITEMS,
    RULE_UNIQUE_ITEMS,
    RULE_ELEMENTS, /* prefixItems, items, additionalItems */
    RULE_CONTAINS,
    RULE_REF,
    RULE_DYNAMIC_REF,
    RULE_RECURSIVE_REF,
    RULE_ALL_OF,
    RULE_ANY_OF,
    RULE_ONE_OF,
    RULE_NOT,
    RULE_IF,
    RULE_UNEVALUATED_ITEMS,
    RULE_UNEVALUATED_PROPERTIES,
    RULE_KINDS
} RuleKind;

typedef struct SchemaList {
    uint32_t count;
    Schema **items;
} SchemaList;

typedef struct PatternMember {
    const DatumMember *member; /* the pattern's text, and where it was */
    const Pattern *pattern;    /* NULL: not enforced */
    Schema *schema;
} PatternMember;

typedef struct Members {
    const Datum *properties; /* an object whose values' notes are their schemas; NULL without */
    PatternMember *patterns;
    uint32_t pattern_count;
    bool unsure;        /* a pattern is not known: what is additional is not either */
    Schema *additional; /* NULL: anything */
} Members;

typedef struct ElementRules {
    SchemaList prefix;
    Schema *rest; /* NULL: anything */
} ElementRules;

typedef struct Contains {
    Schema *schema;
    uint64_t least, most;
} Contains;

typedef struct Conditional {
    Schema *test, *then, *otherwise; /* the last two may be NULL */
} Conditional;

typedef struct Reference {
    Schema *target;    /* NULL: unknown */
    SchemaText anchor; /* of a dynamic one: looked for in the resources that were entered */
    bool dynamic;
} Reference;

typedef struct Rule {
    uint8_t kind;
    union {
        uint8_t types;
        uint64_t count;
        const Datum *value;
        const Pattern *pattern;
        Schema *schema;
        SchemaList *list;
        Members *members;
        ElementRules *elements;
        Contains *contains;
        Conditional *conditional;
        Reference *reference;
    };
} Rule;

/* A resource: what an $id names, or the document itself. */
typedef struct Resource {
    struct Resource *next;
    const char *base;
    size_t base_length;
    Datum *root; /* its note is the schema, if it is one */
    SchemaDialect dialect;
    bool recursive_anchor;
} Resource;

typedef struct Anchor {
    struct Anchor *next;
    const Resource *resource;
    const char *name;
    uint32_t length;
    bool dynamic;
    Schema *schema;
} Anchor;

enum { SCHEMA_PLACED, SCHEMA_WAITING, SCHEMA_READ };

struct Schema {
    Datum *datum;
    SchemaDocument *document;
    Resource *resource;
    /* Where it is: the parent's pointer, "/" keyword, and "/" name where there is one. */
    const Schema *up;
    const char *keyword;
    uint32_t keyword_length;
    uint32_t name_length;
    const char *name; /* NULL: none; an index if `indexed` */
    bool indexed;
    uint8_t state;
    uint8_t visit;    /* of the search for circles */
    uint8_t nothing;  /* false: no value fits */
    bool nullable;    /* null fits whatever else is said */
    bool bytes;       /* nothing but bytes fits */
    bool faulty;      /* something in it could not be read: it may mean more than it says */
    bool unevaluated; /* it has a rule that asks what the others looked at */
    uint16_t rule_count;
    uint32_t ordinal; /* among the schemas of the document, from 0 on */
    Rule *rules;      /* in the order of their kinds */
    Schema *next;     /* in the list it waits in */
};

struct SchemaDocument {
    Arena *arena;
    SchemaLimits limits;
    SchemaReport *report;
    SchemaDialect dialect;
    Datum *root;
    Resource *resources;
    Anchor *anchors;
    uint32_t names, patterns, schemas; /* how many so far */
    bool dynamic;                      /* some reference depends on the way that led to it */
    Schema *placing, *waiting, *read;  /* to be searched for schemas; to be read; just read */
    Resource *resource;                /* of the document itself */
};

/** Note a fault at a schema's place, or at a keyword in it (NULL: none). */
void schema_fault(Schema *schema, const char *keyword, const char *reason);

/** A schema's JSON pointer. In the arena; NULL if it fails. */
const char *schema_pointer(Arena *arena, const Schema *schema);

/** The dialect in force at a schema; never AUTO. */
static inline SchemaDialect schema_dialect(const Schema *schema)
{
    return schema->resource->dialect;
}

/** Does it know `prefixItems`, and `items` for the rest? */
static inline bool dialect_has_prefix(SchemaDialect dialect)
{
    return dialect == SCHEMA_2020_12 || dialect == SCHEMA_OPENAPI_31;
}

/** Does a `$ref` stand alone, its neighbours ignored? */
static inline bool dialect_ref_is_alone(SchemaDialect dialect)
{
    return dialect == SCHEMA_DRAFT_07 || dialect == SCHEMA_OPENAPI_30;
}

/** A schema's rule of that kind; NULL without one. */
const Rule *schema_rule(const Schema *schema, RuleKind kind);

/* ---- place.c ---- */

/* What the value of a keyword holds. */
typedef enum KeywordShape {
    SHAPE_VALUE,
    SHAPE_SCHEMA,
    SHAPE_LIST,   /* an array of schemas */
    SHAPE_EITHER, /* a schema or an array of them */
    SHAPE_MAP     /* an object of schemas */
} KeywordShape;

typedef struct Keyword {
    const char *name;
    uint8_t shape;
    uint8_t rule; /* RULE_KINDS: read on its own */
} Keyword;

/** The keyword of that name; NULL if it is none. */
const Keyword *keyword_find(const char *name, size_t length);

/** Take note of a schema at a place, and of those inside it. NULL if the arena fails. */
Schema *schema_place(SchemaDocument *document, Datum *datum, const Schema *up, Resource *resource,
                     const char *keyword, size_t keyword_length);

/** The schema that is the value of a keyword, or element or member of it; NULL if none is. */
static inline Schema *schema_of(const Datum *datum)
{
    return datum->kind == DATUM_OBJECT || datum->kind == DATUM_BOOL ? datum->note : NULL;
}

/** Search all that was placed for schemas, ids and anchors. */
void schema_search(SchemaDocument *document);

/** The schema at a pointer inside a resource, placed if none was there; NULL if what is there is no
 * schema, or nothing is there at all (`*out_found` tells them apart). The pointer stays in use. */
Schema *schema_by_pointer(SchemaDocument *document, Resource *resource, const char *pointer,
                          size_t length, bool *out_found);

/** What a reference means; NULL, and a fault, if nothing here. A plain-name anchor that is dynamic
 * is told. */
Schema *schema_resolve(Schema *from, const Datum *reference, const char *keyword,
                       SchemaText *out_dynamic);

/** The schema in a resource that has this dynamic anchor; NULL without one. */
Schema *schema_dynamic_anchor(const SchemaDocument *document, const Resource *resource,
                              SchemaText anchor);

/* ---- read.c ---- */

/** Read a schema and everything that it leads to. */
void schema_read_all(SchemaDocument *document, Schema *schema);

#endif
