/* The declarations of some files by their names. */
#ifndef NAMES_H
#define NAMES_H

#include "syntax.h"

typedef struct Space Space;
typedef struct Shape Shape;

/* A generic declaration with these arguments: its shape. */
typedef struct Instance {
    struct Instance *next;
    Shape *shape;
    uint32_t count;
    const Shape *arguments[];
} Instance;

/* One declaration. Those of one name, in whatever files, hang together. */
typedef struct Declared {
    struct Declared *next;
    const Node *node; /* function, variable, interface, type alias, enum or class */
    const Space *space;
    const char *text; /* of its file */
    Instance *instances;
    uint32_t instance_count;
} Declared;

/* A name in one space: what is declared under it, or where else to look. */
typedef struct Named {
    const Space *space;
    const char *name;
    uint32_t length;
    Declared *first, *last;
    Space *inner;        /* a namespace */
    const Name *module;  /* an import or `export from`: of that, */
    const Name *foreign; /* this name; NULL: all of it */
    const Node *equals;  /* another name for what is here */
} Named;

/* `export * from` */
typedef struct Star {
    struct Star *next;
    const Name *module;
} Star;

struct Space {
    Space *parent;      /* of the global space NULL */
    const Node *equals; /* export = name, export default name */
    bool is_default;
    Star *stars;
};

typedef struct NameTable {
    Arena *arena;
    Named **places; /* open addressing; a power of two */
    uint32_t mask, count;
    Space global;
} NameTable;

/** Add what a file declares. Memory that runs out is told by the arena. */
void names_collect(NameTable *table, const SourceFile *file, const char *text);

/** A name in this very space, or what it stands for; NULL if there is none. */
const Named *names_in(const NameTable *table, const Space *space, const char *name, size_t length);
/** `a`, `a.b`: from a space on outwards. */
const Named *names_path(const NameTable *table, const Space *space, const Node *path);
/** The space of `declare module "name"`; NULL without one. */
const Space *names_module(const NameTable *table, const char *name, size_t length);

/** The text of a declaration's, property's or module's name; NULL for computed ones. */
const Name *name_text(const Node *name);

#endif
