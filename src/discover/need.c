/* The types that a declaration names, found in the scopes around it. */
#include <string.h>

#include "inventory.h"

/* Imports of imports; scopes are as deep as they are written. */
enum { HOPS_MAX = 8, NEEDS_MAX = 200, OWN_MAX = 64 };

typedef struct Found {
    Item *item;   /* as a type or value */
    Scope *inner; /* as a namespace */
} Found;

static Found find_path(Builder *builder, const Scope *scope, const Node *name, unsigned hops);

static Found find_in(Builder *builder, const Scope *scope, const char *name, size_t length,
                     unsigned hops)
{
    const Binding *binding = builder_binding(builder, scope, name, length), *module;

    if (!binding)
        return (Found){0};
    if (binding->item || binding->inner || hops == HOPS_MAX)
        return (Found){binding->item, binding->inner};
    if (binding->equals)
        return find_path(builder, scope, binding->equals, hops + 1);
    if (!binding->from_module)
        return (Found){0};
    module = builder_binding(builder, NULL, binding->from_module, strlen(binding->from_module));
    if (!module || !module->inner)
        return (Found){0};
    if (!binding->from_name)
        return (Found){NULL, module->inner};
    return find_in(builder, module->inner, binding->from_name, strlen(binding->from_name),
                   hops + 1);
}

/* From a scope on outwards. */
static Found find_name(Builder *builder, const Scope *scope, const Node *node, unsigned hops)
{
    const Name *name = name_of(node);
    Found found = {0};

    for (; name && scope && !found.item && !found.inner; scope = scope->parent)
        found = find_in(builder, scope, name->text, name->length, hops);
    return found;
}

/* a.b.c: in types a qualified name, behind `extends` an access */
static Found find_path(Builder *builder, const Scope *scope, const Node *name, unsigned hops)
{
    const Node *left = NULL, *right = NULL;
    Found found;

    if (!name)
        return (Found){0};
    if (name->kind == NODE_QUALIFIED_NAME) {
        left = as_qualified_name(name)->left;
        right = as_qualified_name(name)->right;
    } else if (name->kind == NODE_PROPERTY_ACCESS) {
        left = as_property_access(name)->expression;
        right = as_property_access(name)->name;
    }
    if (!left)
        return find_name(builder, scope, name, hops);
    found = find_path(builder, scope, left, hops);
    if (found.inner && name_of(right)) {
        const Name *member = name_of(right);
        Found inner = find_in(builder, found.inner, member->text, member->length, hops);
        if (inner.item || inner.inner)
            return inner;
    }
    return (Found){found.item, NULL}; /* a member of an enum, of a value */
}

Item *need_find(Builder *builder, const Scope *scope, const Node *name)
{
    return find_path(builder, scope, name, 0).item;
}

/* import("github").Issue */
static Item *find_import(Builder *builder, const ImportType *import)
{
    const Node *literal = import->argument && import->argument->kind == NODE_LITERAL_TYPE
                              ? as_unary(import->argument)->expression
                              : NULL;
    const Name *module = name_of(literal);
    const Binding *binding =
        module ? builder_binding(builder, NULL, module->text, module->length) : NULL;

    if (!binding || !binding->inner || !import->qualifier)
        return NULL;
    return find_path(builder, binding->inner, import->qualifier, 0).item;
}

/* ---- what an item needs ---- */

typedef struct Needs {
    Builder *builder;
    const Item *item;
    const Scope *home;
    const Name *own[OWN_MAX]; /* its type parameters */
    unsigned own_count;
    Item *found[NEEDS_MAX];
    unsigned count;
} Needs;

static void add_need(Needs *needs, Item *found)
{
    for (; found; found = found->more) {
        bool known = found == needs->item || needs->count == NEEDS_MAX;
        for (unsigned i = 0; i < needs->count && !known; i++)
            known = needs->found[i] == found;
        if (!known)
            needs->found[needs->count++] = found;
    }
}

static bool is_own(const Needs *needs, const Node *name)
{
    for (unsigned i = 0; name && name->kind == NODE_IDENTIFIER && i < needs->own_count; i++) {
        if (needs->own[i] == as_identifier(name)->name)
            return true;
    }
    return false;
}

static bool visit(Node *node, void *context)
{
    Needs *needs = context;
    const Node *name = NULL;

    switch (node->kind) {
    case NODE_TYPE_PARAMETER:
        name = as_type_parameter(node)->name;
        if (needs->own_count < OWN_MAX && name_of(name))
            needs->own[needs->own_count++] = name_of(name);
        name = NULL;
        break;
    case NODE_TYPE_REFERENCE:
    case NODE_TYPE_QUERY:
    case NODE_EXPRESSION_WITH_TYPE_ARGUMENTS:
        name = as_type_reference(node)->name;
        break;
    case NODE_IMPORT_TYPE:
        add_need(needs, find_import(needs->builder, as_import_type(node)));
        break;
    default:
        break;
    }
    if (name && !is_own(needs, name))
        add_need(needs, need_find(needs->builder, needs->home, name));
    return tree_each_child(node, visit, context);
}

void need_collect(Builder *builder, Item *item)
{
    const Draft *draft = &builder->drafts[item->index];
    Needs needs = {.builder = builder, .item = item, .home = draft->home};

    if (!draft->node)
        return;
    (void)tree_each_child(draft->node, visit, &needs);
    if (needs.count == 0)
        return;
    item->needs = ARENA_ARRAY(&builder->inventory->arena, Item *, needs.count);
    if (!item->needs)
        return;
    memcpy(item->needs, needs.found, needs.count * sizeof *item->needs);
    item->need_count = needs.count;
}
