/* From types to shapes. */
#ifndef MAKE_H
#define MAKE_H

#include "registry.h"
#include "shape.h"

/* A type parameter and what stands for it here. */
typedef struct Env {
    const struct Env *next;
    const Name *name; /* names of one file are equal by their pointers */
    const Shape *shape;
} Env;

/* A type where it stands. */
typedef struct View {
    const Node *type;
    const Space *space;
    const Env *env;
} View;

/* A property whose shape is made later: so types may recur, and nest in no stack of ours. */
typedef struct Later {
    struct Later *next;
    Shape *shape;
    View view;
    unsigned level;
} Later;

/* More than anybody declares: what comes later fits anything. */
enum {
    SHAPES_MAX = 60000,
    INSTANCES_MAX = 1000,
    LEVELS_MAX = 16,
    NESTING_MAX = 100,
    PROPERTIES_MAX = 512
};

typedef struct Maker {
    Arena *arena;   /* of the shapes */
    Arena *scratch; /* of all else */
    NameTable names;
    const Registry *registry;
    Later *later, *last_later;
    uint32_t shapes;
    unsigned level;   /* generic types inside each other */
    unsigned nesting; /* types inside each other */
} Maker;

/* The members of an object while they are gathered. */
typedef struct Members {
    ShapeProperty *properties;
    uint32_t count;
    const Shape *index;
    bool unknown; /* it is more than this, or none: nothing is to be asked of it */
} Members;

extern const Shape shape_any, shape_undefined;

/** The shape of a type; never NULL. */
const Shape *make_shape(Maker *maker, View view);
/** Make all that was put off. */
void make_rest(Maker *maker);

/** A new shape, to be filled; NULL: no more. */
Shape *make_new(Maker *maker, ShapeKind kind);
const Shape *make_kinds(Maker *maker, uint32_t kinds);
const Shape *make_text(Maker *maker, const char *text, size_t length);
const Shape *make_union(Maker *maker, const Shape *const *items, uint32_t count);
/** A cell that gets its shape with make_rest. */
const Shape *make_later(Maker *maker, View view);

/** What type parameters mean, with these arguments (NULL: none are given). */
const Env *make_env(Maker *maker, const NodeList *parameters, const Space *space, const Env *outer,
                    const Shape *const *arguments, uint32_t count);
/** The shapes of type arguments, in the scratch arena. */
const Shape **make_arguments(Maker *maker, const NodeList *list, View view, uint32_t *out_count);

/* ---- make_object.c ---- */

/** The members in braces, behind those that are there already. */
void members_read(Maker *maker, Members *members, const NodeList *list, View view);
void members_add(Maker *maker, Members *members, const ShapeProperty *property);
/** The members of a shape that is an object, or of several. */
Members members_of(Maker *maker, const Shape *shape);
const Shape *make_object(Maker *maker, const Members *members);
/** { [name in constraint]: type } */
const Shape *make_mapped(Maker *maker, const MappedType *mapped, View view);
const Shape *make_keys(Maker *maker, const Shape *shape);
const Shape *make_indexed(Maker *maker, const Shape *object, const Shape *index);
/** A type of the language's own library, by its name. */
const Shape *make_library(Maker *maker, const Name *name, const Shape **arguments, uint32_t count);

/* ---- function.c ---- */

/** How a function is declared. */
typedef enum DeclaredAs { DECLARED_NOT, DECLARED_GLOBAL, DECLARED_MODULE } DeclaredAs;

/** The signatures of a function by its full name; NULL if it is not declared, or not understood. */
const Signature *make_function(Maker *maker, const char *name, bool method, DeclaredAs *out_as);

/* ---- complete.c ---- */

/** Declarations that are missing; `as` says of each function of the registry, by its number, how it
 * is declared. */
void complete(const Maker *maker, const DeclaredAs *as, Buf *out);

#endif
