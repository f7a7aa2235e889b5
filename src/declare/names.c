#include "names.h"

#include <string.h>

/* Names that stand for names; scopes are as deep as they are written. */
enum { HOPS_MAX = 8 };

const Name *name_text(const Node *name)
{
    if (!name || name->flags & NODE_FLAG_MISSING)
        return NULL;
    switch (name->kind) {
    case NODE_IDENTIFIER:
        return as_identifier(name)->name;
    case NODE_STRING_LITERAL:
    case NODE_NO_SUBSTITUTION_TEMPLATE:
    case NODE_NUMERIC_LITERAL:
        return as_literal(name)->text;
    default:
        return NULL;
    }
}

/* ---- the table ---- */

/* Modules have names of their own: no space is theirs. */
static const Space *const modules = NULL;

static Named **place_of(const NameTable *table, const Space *space, const char *name, size_t length)
{
    uint64_t hash = (uintptr_t)space * 0x9E3779B97F4A7C15u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (unsigned char)name[i]) * 0x100000001B3u;
    for (uint32_t at = (uint32_t)(hash ^ hash >> 32);; at++) {
        Named **place = &table->places[at & table->mask];
        if (!*place || ((*place)->space == space && (*place)->length == length &&
                        memcmp((*place)->name, name, length) == 0))
            return place;
    }
}

static bool make_room(NameTable *table)
{
    uint32_t count = table->places ? table->mask + 1 : 0, places = count ? count * 2 : 64;
    Named **before = table->places, **grown;

    if (table->count * 2 < count)
        return true;
    grown = ARENA_ARRAY(table->arena, Named *, places);
    if (!grown)
        return false;
    table->places = grown;
    table->mask = places - 1;
    for (uint32_t i = 0; i < count; i++) {
        if (before[i])
            *place_of(table, before[i]->space, before[i]->name, before[i]->length) = before[i];
    }
    return true;
}

static Named *get(const NameTable *table, const Space *space, const char *name, size_t length)
{
    return table->places ? *place_of(table, space, name, length) : NULL;
}

static Named *bind(NameTable *table, const Space *space, const Name *name)
{
    Named **place;

    if (!name || !make_room(table))
        return NULL;
    place = place_of(table, space, name->text, name->length);
    if (!*place && (*place = ARENA_NEW(table->arena, Named))) {
        **place = (Named){.space = space, .name = name->text, .length = name->length};
        table->count++;
    }
    return *place;
}

static void declare(NameTable *table, const Space *space, const Name *name, const Node *node,
                    const char *text)
{
    Named *named = bind(table, space, name);
    Declared *declared = named ? ARENA_NEW(table->arena, Declared) : NULL;

    if (!declared)
        return;
    *declared = (Declared){.node = node, .space = space, .text = text};
    if (named->last)
        named->last->next = declared;
    else
        named->first = declared;
    named->last = declared;
}

/* The space of a module or a namespace: the same in all files. */
static Space *inner_space(NameTable *table, Space *space, const Name *name, bool module)
{
    Named *named = bind(table, module ? modules : space, name);

    if (named && !named->inner && (named->inner = ARENA_NEW(table->arena, Space)))
        named->inner->parent = module ? &table->global : space;
    return named ? named->inner : NULL;
}

/* ---- from the tree ---- */

static void collect(NameTable *table, Space *space, const NodeList *list, const char *text);

static void collect_module(NameTable *table, Space *space, const Node *node, const char *text)
{
    const ModuleDeclaration *module = as_module_declaration(node);
    bool is_module = module->name && module->name->kind == NODE_STRING_LITERAL;

    space = module->token == TOKEN_GLOBAL
                ? &table->global
                : inner_space(table, space, name_text(module->name), is_module);
    if (!space || !module->body)
        return;
    if (module->body->kind == NODE_MODULE_DECLARATION)
        collect_module(table, space, module->body, text);
    else if (module->body->kind == NODE_MODULE_BLOCK)
        collect(table, space, as_list(module->body)->list, text);
}

/* Another name for something: of a module, or of this space. */
static void alias(NameTable *table, const Space *space, const Node *local, const Node *module,
                  const Node *foreign)
{
    const Name *name = name_text(local);
    Named *named = module || name != name_text(foreign) ? bind(table, space, name) : NULL;

    if (!named)
        return;
    named->module = name_text(module);
    named->foreign = name_text(foreign);
    if (!module)
        named->equals = foreign;
}

static void collect_specifiers(NameTable *table, const Space *space, const Node *list,
                               const Node *module)
{
    for (uint32_t i = 0; i < as_list(list)->list->count; i++) {
        const Specifier *one = as_specifier(as_list(list)->list->at[i]);
        const Node *other = one->property_name ? one->property_name : one->name;
        alias(table, space, one->name, module, other);
    }
}

static void collect_import(NameTable *table, const Space *space, const ImportDeclaration *import)
{
    const ImportClause *clause = import->clause ? as_import_clause(import->clause) : NULL;

    if (!clause)
        return;
    if (clause->name) {
        /* of a package that says `export =`, that is the whole of it */
        alias(table, space, clause->name, import->module, NULL);
    }
    if (clause->bindings && clause->bindings->kind == NODE_NAMESPACE_IMPORT)
        alias(table, space, as_unary(clause->bindings)->expression, import->module, NULL);
    else if (clause->bindings && clause->bindings->kind == NODE_NAMED_IMPORTS)
        collect_specifiers(table, space, clause->bindings, import->module);
}

static void collect_export(NameTable *table, Space *space, const ExportDeclaration *export)
{
    Star *star;

    if (export->clause && export->clause->kind == NODE_NAMED_EXPORTS) {
        collect_specifiers(table, space, export->clause, export->module);
    } else if (export->clause && export->clause->kind == NODE_NAMESPACE_EXPORT) {
        alias(table, space, as_unary(export->clause)->expression, export->module, NULL);
    } else if (name_text(export->module) && (star = ARENA_NEW(table->arena, Star))) {
        *star = (Star){space->stars, name_text(export->module)};
        space->stars = star;
    }
}

static void collect_import_equals(NameTable *table, const Space *space, const ImportEquals *import)
{
    const Node *reference = import->reference;

    if (reference && reference->kind == NODE_EXTERNAL_MODULE_REFERENCE)
        alias(table, space, import->name, as_unary(reference)->expression, NULL);
    else
        alias(table, space, import->name, NULL, reference);
}

static void collect_variables(NameTable *table, const Space *space, const Node *node,
                              const char *text)
{
    const NodeList *list =
        as_variable_declaration_list(as_variable_statement(node)->declarations)->list;

    for (uint32_t i = 0; i < list->count; i++)
        declare(table, space, name_text(as_variable_declaration(list->at[i])->name), list->at[i],
                text);
}

static void collect_statement(NameTable *table, Space *space, const Node *node, const char *text)
{
    switch (node->kind) {
    case NODE_FUNCTION_DECLARATION:
        declare(table, space, name_text(as_function(node)->name), node, text);
        break;
    case NODE_VARIABLE_STATEMENT:
        collect_variables(table, space, node, text);
        break;
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
        declare(table, space, name_text(as_class(node)->name), node, text);
        break;
    case NODE_TYPE_ALIAS_DECLARATION:
        declare(table, space, name_text(as_type_alias(node)->name), node, text);
        break;
    case NODE_ENUM_DECLARATION:
        declare(table, space, name_text(as_enum_declaration(node)->name), node, text);
        break;
    case NODE_MODULE_DECLARATION:
        collect_module(table, space, node, text);
        break;
    case NODE_IMPORT_DECLARATION:
        collect_import(table, space, as_import_declaration(node));
        break;
    case NODE_IMPORT_EQUALS_DECLARATION:
        collect_import_equals(table, space, as_import_equals(node));
        break;
    case NODE_EXPORT_DECLARATION:
        collect_export(table, space, as_export_declaration(node));
        break;
    case NODE_EXPORT_ASSIGNMENT:
        space->equals = as_export_assignment(node)->expression;
        space->is_default = !as_export_assignment(node)->equals;
        break;
    default:
        break;
    }
}

static void collect(NameTable *table, Space *space, const NodeList *list, const char *text)
{
    for (uint32_t i = 0; list && i < list->count; i++)
        collect_statement(table, space, list->at[i], text);
}

void names_collect(NameTable *table, const SourceFile *file, const char *text)
{
    Space *space = &table->global;

    /* what a module declares for itself nobody outside sees */
    if (file->module_mark && (space = ARENA_NEW(table->arena, Space)))
        space->parent = &table->global;
    if (space)
        collect(table, space, file->statements, text);
}

/* ---- looking up ---- */

static const Named *find_path(const NameTable *table, const Space *space, const Node *path,
                              unsigned hops);

static const Named *find_in(const NameTable *table, const Space *space, const char *name,
                            size_t length, unsigned hops)
{
    Named *named = get(table, space, name, length);

    if (named && (named->first || named->inner))
        return named;
    if (hops == HOPS_MAX)
        return NULL;
    if (named && named->equals)
        return find_path(table, space, named->equals, hops + 1);
    if (named && named->module) {
        const Named *module = get(table, modules, named->module->text, named->module->length);
        if (!module || !named->foreign)
            return module;
        return find_in(table, module->inner, named->foreign->text, named->foreign->length,
                       hops + 1);
    }
    if (space->equals) {
        const Named *whole = find_path(table, space, space->equals, hops + 1);
        if (whole && whole->inner && whole->inner != space)
            return find_in(table, whole->inner, name, length, hops + 1);
    }
    for (const Star *star = space->stars; star; star = star->next) {
        const Named *module = get(table, modules, star->module->text, star->module->length);
        const Named *found = module ? find_in(table, module->inner, name, length, hops + 1) : NULL;
        if (found)
            return found;
    }
    return NULL;
}

static const Named *find_path(const NameTable *table, const Space *space, const Node *path,
                              unsigned hops)
{
    const Node *left = NULL, *right = path;
    const Named *found = NULL;
    const Name *name;

    if (path && path->kind == NODE_QUALIFIED_NAME) {
        left = as_qualified_name(path)->left;
        right = as_qualified_name(path)->right;
    } else if (path && path->kind == NODE_PROPERTY_ACCESS) {
        left = as_property_access(path)->expression;
        right = as_property_access(path)->name;
    }
    name = name_text(right);
    if (!name)
        return NULL;
    if (left) {
        found = find_path(table, space, left, hops);
        return found && found->inner ? find_in(table, found->inner, name->text, name->length, hops)
                                     : NULL;
    }
    for (; space && !found; space = space->parent)
        found = find_in(table, space, name->text, name->length, hops);
    return found;
}

const Named *names_in(const NameTable *table, const Space *space, const char *name, size_t length)
{
    return find_in(table, space, name, length, 0);
}

const Named *names_path(const NameTable *table, const Space *space, const Node *path)
{
    return find_path(table, space, path, 0);
}

const Space *names_module(const NameTable *table, const char *name, size_t length)
{
    const Named *module = get(table, modules, name, length);

    return module ? module->inner : NULL;
}
