/* What a inventory is made of: for this folder. */
#ifndef INVENTORY_H
#define INVENTORY_H

#include <pthread.h>

#include "discover.h"
#include "finder.h"
#include "layout.h"
#include "syntax.h"

typedef struct Item Item;
typedef struct Scope Scope;
typedef struct Package Package;

typedef enum ScopeKind {
    SCOPE_GLOBAL,    /* one for all files */
    SCOPE_FILE,      /* of a file that is a module: nobody outside sees it */
    SCOPE_NAMESPACE, /* declare namespace name { */
    SCOPE_MODULE,    /* declare module "name" { */
    SCOPE_OBJECT,    /* const name: { */
    SCOPE_MEMBER,    /* name: { */
} ScopeKind;

struct Scope {
    ScopeKind kind;
    Scope *parent;
    const char *name;
    const char *path;    /* what a program writes in front of what is inside: "github", "" */
    const Scope *module; /* that it is in, or is; NULL */
    Package *package;    /* of the functions inside; made when the first is met */
};

/* What a program gets at in one way. */
struct Package {
    const char *name; /* "github", "my-pkg"; "" for what is global */
    bool imported;    /* declared as a module only: reached by `import` */
    uint32_t count;   /* of functions */
    Package *next;
};

typedef enum ItemKind {
    ITEM_FUNCTION, /* or anything else that can be called */
    ITEM_VALUE,
    ITEM_TYPE, /* a class too */
} ItemKind;

struct Item {
    ItemKind kind;
    bool listed;      /* answers a search */
    bool hidden;      /* the policy denies it: it is not there at all */
    uint32_t index;   /* in Inventory.items */
    const char *name; /* "github.listIssues", "my-pkg.f", "github.Issue" */
    const char *line; /* one line: of functions and values as a program writes it */
    const char *summary;
    Scope *scope; /* where it is shown */
    Package *package;
    const Item *shown;        /* what describes it; itself, but the class for its methods */
    const DeclaredFile *file; /* NULL: it is registered and nowhere declared */
    Span span, comment;
    Item *more;   /* another declaration of the same name: overloads, merged interfaces */
    Item **needs; /* types it names */
    uint32_t need_count;
    uint8_t name_words; /* that its name is made of */
};

struct Inventory {
    tn_allocator allocator;
    Arena arena;
    Item **items;
    uint32_t count, capacity;
    uint32_t functions;
    Package *packages, *last_package;
    const char **vocabulary; /* words that a search can find, each once */
    uint32_t word_count;
    Finder *finder;
};

/* ---- while it is made ---- */

/* One name in one scope: what it is as a type or value, as a namespace, or where else to look. */
typedef struct Binding {
    const Scope *scope;
    const char *name;
    uint32_t length;
    Item *item; /* the first of its declarations */
    Item *last;
    Scope *inner;            /* a namespace of that name */
    Package *package;        /* of that name; the scope is no real one */
    const char *from_module; /* an import: */
    const char *from_name;   /* NULL: the whole module */
    const Node *equals;      /* import name = a.b */
} Binding;

typedef struct BuildFile {
    DeclaredFile *file;
    SourceFile *tree;
    Scope *scope;
} BuildFile;

/* What belongs to an item until the inventory is made; the index is the item's. */
typedef struct Draft {
    const BuildFile *file;
    const Node *node; /* the declaration: its needs, its parameters' names */
    const Node *type; /* of a value: its members may be callable */
    Scope *home;      /* where its names are looked up */
} Draft;

typedef struct Builder {
    Inventory *inventory;
    Arena arena;   /* trees and all else that is gone afterwards */
    Arena scratch; /* the words of one item */
    Buf buf;       /* for one text at a time */
    Draft *drafts;
    uint32_t draft_capacity;
    Binding *bindings; /* open addressing; a power of two */
    uint32_t binding_count, binding_capacity;
    Scope *global;
    uint32_t steps; /* of members looked at: types may lead anywhere */
} Builder;

/* More than this is no offer to a program; what comes later is not listed. */
enum { ITEMS_MAX = 100000, STEPS_MAX = 1000000, VOCABULARY_MAX = 20000 };

/** The binding of a name in this very scope; made if it is not there. NULL: out of memory. */
Binding *builder_bind(Builder *builder, const Scope *scope, const char *name, size_t length);
/** NULL if there is none. */
Binding *builder_binding(const Builder *builder, const Scope *scope, const char *name,
                         size_t length);

/** A copy of what is in `buf`, which is then empty; in the inventory's arena, or in `arena`. Never
 * NULL: once the arena failed, an empty text. */
const char *builder_text(Builder *builder);
const char *builder_text_in(Builder *builder, Arena *arena);

Scope *builder_scope(Builder *builder, ScopeKind kind, Scope *parent, const char *name,
                     size_t length);

/** The package of that name, made if need be. */
Package *builder_package(Builder *builder, const char *name, bool imported);
Package *builder_package_of(Builder *builder, Scope *scope);

/** An item without its texts. NULL: out of memory, or ITEMS_MAX. */
Item *builder_item(Builder *builder, ItemKind kind, Scope *scope, Draft draft);

/** The last part of an item's name. */
const char *item_name_in(const Item *item);

/** The text of a property's name or a declaration's; NULL for computed ones. */
const Name *name_of(const Node *name);

/** Append a name behind a path: `path.name`, `path["odd name"]`. */
void put_member(Buf *buf, const char *path, const char *name, size_t length);
/** Text in quotes. */
void put_quoted(Buf *buf, const char *text, size_t length);

/* collect.c */
void collect_file(Builder *builder, BuildFile *file);
/** A function, by what is written after its name. */
Item *collect_callable(Builder *builder, Scope *scope, const Name *name, Draft draft, Span rest,
                       Span declaration, Span before);

/* member.c */
void collect_members(Builder *builder, Item *value);
void collect_class(Builder *builder, Item *declared, const ClassLike *class_node);

/* need.c */
/** The declarations that a name means, from a scope on outwards; NULL if it is none of ours. */
Item *need_find(Builder *builder, const Scope *scope, const Node *name);
void need_collect(Builder *builder, Item *item);

#endif
