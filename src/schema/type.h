/* The TypeScript writer's inside: types as texts that can be joined. */
#ifndef TYPE_SCHEMA_H
#define TYPE_SCHEMA_H

#include "graph.h"

typedef enum TypeLevel { LEVEL_UNIT, LEVEL_INTERSECTION, LEVEL_UNION } TypeLevel;

/* A type's text, and what binds it together. NULL text: the arena failed. */
typedef struct Type {
    const char *text;
    uint32_t length;
    uint8_t level;
    bool lines; /* of several lines */
} Type;

/* A part that has a name. */
typedef struct Declared {
    struct Declared *next;
    const Schema *schema;
    const char *name;
    const char *text; /* NULL: still to be said */
} Declared;

struct SchemaTypes {
    Arena *arena;
    SchemaDocument *document;
    SchemaNames *names;
    SchemaTypeOptions options;
    Declared *first, *last, *pending; /* pending: the first that is still to be said */
    Declared **by_ordinal;
    uint8_t *masks; /* types that a schema allows at most, by ordinal; 0: not known yet */
    uint32_t ordinals;
    const Schema *writing; /* what is being said as a whole: a declaration, or the type asked for */
    unsigned tuples;       /* tuples that we are in */
    uint64_t spent;        /* bytes of text made */
    bool cut;              /* the limit was met, and reported */
};

/** Constant text, or text of the arena, as a type. */
Type type_text(SchemaTypes *types, const char *text, TypeLevel level);
Type type_from(SchemaTypes *types, Buf *buf, TypeLevel level); /* releases the Buf */
static inline bool type_is(Type type, const char *text)
{
    return type.text && strcmp(type.text, text) == 0;
}

/** One of them, or all of them at once. Repeated ones are said once, unknown and never are taken
 * in. */
Type type_union(SchemaTypes *types, Type *parts, uint32_t count);
Type type_intersection(SchemaTypes *types, Type *parts, uint32_t count);

/** Is there no room for more text? Then it is reported, once. */
bool type_is_over(SchemaTypes *types, const Schema *schema);

/**
 * The type of a schema, for values of the types in `context` only. `indent` is that of the line it
 * begins in, `depth` how many objects and arrays are around it. NULL is a schema that says nothing.
 */
Type type_of_schema(SchemaTypes *types, const Schema *schema, unsigned context, unsigned indent,
                    unsigned depth);

/** The part of it that is about objects, and about arrays. */
Type type_of_object(SchemaTypes *types, const Schema *schema, unsigned indent, unsigned depth);
Type type_of_array(SchemaTypes *types, const Schema *schema, unsigned indent, unsigned depth);

/** The comment of a schema at that indent, with what its type does not say. */
void type_comment(SchemaTypes *types, const Schema *schema, Buf *buf, unsigned indent);

#endif
