/* What can be called below a value, by its type; and the functions of a class. */
#include <string.h>

#include "inventory.h"
#include "doc.h"

/* Types inside types that are followed, and values inside values. */
enum { TYPES_MAX = 12, VALUES_MAX = 3 };

typedef struct Expansion {
    Builder *builder;
    const Item *path[TYPES_MAX]; /* interfaces being looked into: none of them again */
    unsigned depth;
    unsigned values;
} Expansion;

static uint32_t expand(Expansion *expansion, Draft draft, Scope *scope);

/* `name(...): T;`, `name: (...) => T;` or a value with members itself */
static uint32_t expand_member(Expansion *expansion, Draft draft, Scope *scope, const Node *node)
{
    Builder *builder = expansion->builder;
    bool method = node->kind == NODE_METHOD_SIGNATURE || node->kind == NODE_METHOD_DECLARATION;
    const Node *name_node = NULL, *type = NULL;
    const Name *name;
    Scope *inner;

    if (method)
        name_node = as_function(node)->name;
    else if (node->kind == NODE_PROPERTY_SIGNATURE || node->kind == NODE_PROPERTY_DECLARATION) {
        name_node = as_property(node)->name;
        type = as_property(node)->type;
    }
    name = name_of(name_node);
    if (!name || (modifiers_of(node_modifiers(node)) & (MODIFIER_PRIVATE | MODIFIER_PROTECTED)))
        return 0;
    if (method || (type && type->kind == NODE_FUNCTION_TYPE)) {
        draft.node = node;
        return collect_callable(builder, scope, name, draft, (Span){name_node->end, node->end},
                                (Span){node->start, node->end},
                                (Span){node->full_start, node->start}) != NULL;
    }
    if (!type || expansion->values == VALUES_MAX || builder->steps++ > STEPS_MAX)
        return 0;
    inner = builder_scope(builder, SCOPE_MEMBER, scope, name->text, name->length);
    if (!inner)
        return 0;
    expansion->values++;
    draft.type = type;
    uint32_t count = expand(expansion, draft, inner);
    expansion->values--;
    return count;
}

static uint32_t expand_list(Expansion *expansion, Draft draft, Scope *scope,
                            const NodeList *members)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < members->count; i++)
        count += expand_member(expansion, draft, scope, members->at[i]);
    return count;
}

static uint32_t expand_named(Expansion *expansion, Draft draft, Scope *scope, const Node *name);

static uint32_t expand_class(Expansion *expansion, Draft draft, Scope *scope,
                             const ClassLike *declared)
{
    uint32_t count = expand_list(expansion, draft, scope, declared->members);

    for (uint32_t i = 0; declared->heritage && i < declared->heritage->count; i++) {
        const HeritageClause *clause = as_heritage_clause(declared->heritage->at[i]);
        for (uint32_t j = 0; clause->token == TOKEN_EXTENDS && j < clause->types->count; j++)
            count += expand_named(expansion, draft, scope,
                                  as_type_reference(clause->types->at[j])->name);
    }
    return count;
}

/* All declarations of a type. Their names are looked up where they stand. */
static uint32_t expand_named(Expansion *expansion, Draft draft, Scope *scope, const Node *name)
{
    Item *item = need_find(expansion->builder, draft.home, name);
    uint32_t count = 0;

    for (unsigned i = 0; i < expansion->depth; i++) {
        if (expansion->path[i] == item)
            return 0;
    }
    if (!item || expansion->depth == TYPES_MAX || expansion->builder->steps++ > STEPS_MAX)
        return 0;
    expansion->path[expansion->depth++] = item;
    for (; item; item = item->more) {
        Draft its = expansion->builder->drafts[item->index];
        if (item->kind != ITEM_TYPE || !its.node)
            continue;
        if (its.node->kind == NODE_INTERFACE_DECLARATION ||
            its.node->kind == NODE_CLASS_DECLARATION) {
            count += expand_class(expansion, its, scope, as_class(its.node));
        } else if (its.node->kind == NODE_TYPE_ALIAS_DECLARATION) {
            its.type = as_type_alias(its.node)->type;
            count += expand(expansion, its, scope);
        }
    }
    expansion->depth--;
    return count;
}

static uint32_t expand(Expansion *expansion, Draft draft, Scope *scope)
{
    const Node *type = draft.type;
    uint32_t count = 0;

    while (type && type->kind == NODE_PARENTHESIZED_TYPE)
        type = as_unary(type)->expression;
    if (!type)
        return 0;
    switch (type->kind) {
    case NODE_TYPE_LITERAL:
        return expand_list(expansion, draft, scope, as_list(type)->list);
    case NODE_TYPE_REFERENCE:
        return expand_named(expansion, draft, scope, as_type_reference(type)->name);
    case NODE_INTERSECTION_TYPE:
        for (uint32_t i = 0; i < as_list(type)->list->count; i++) {
            draft.type = as_list(type)->list->at[i];
            count += expand(expansion, draft, scope);
        }
        return count;
    default:
        return 0;
    }
}

void collect_members(Builder *builder, Item *value)
{
    Expansion expansion = {.builder = builder};
    Draft draft = builder->drafts[value->index];
    const Name *name = name_of(as_variable_declaration(draft.node)->name);
    const Node *type = draft.type;
    Scope *scope;

    while (type && type->kind == NODE_PARENTHESIZED_TYPE)
        type = as_unary(type)->expression;
    if (type && type->kind == NODE_FUNCTION_TYPE)
        value->kind = ITEM_FUNCTION;
    if (!type || (type->kind != NODE_TYPE_LITERAL && type->kind != NODE_TYPE_REFERENCE &&
                  type->kind != NODE_INTERSECTION_TYPE))
        return;
    scope = builder_scope(builder, SCOPE_OBJECT, value->scope, name->text, name->length);
    if (scope && expand(&expansion, draft, scope) > 0)
        value->listed = false;
}

/* ---- classes ---- */

static Item *class_function(Builder *builder, const Item *declared, const char *written,
                            const Node *node, uint32_t rest)
{
    Draft draft = builder->drafts[declared->index];
    Item *item;
    Span span = {rest, node->end};
    const char *text = declared->file->text;

    draft.node = node;
    item = builder_item(builder, ITEM_FUNCTION, declared->scope, draft);
    if (!item)
        return NULL;
    if (span.end > span.start && text[span.end - 1] == ';')
        span.end--;
    buf_append_string(&builder->buf, written);
    (void)layout_line(&builder->buf, declared->file, span);
    item->line = builder_text(builder);
    item->shown = declared;
    item->listed = true;
    item->package = builder_package_of(builder, declared->scope);
    return item;
}

static void class_member(Builder *builder, const Item *declared, const char *path, const Node *node)
{
    const FunctionLike *method = as_function(node);
    uint32_t modifiers = modifiers_of(method->modifiers);
    const Name *name = name_of(method->name);
    const char *written;
    Item *item;

    if (!name || (modifiers & (MODIFIER_PRIVATE | MODIFIER_PROTECTED)))
        return;
    buf_append_string(&builder->buf, path);
    if (!(modifiers & MODIFIER_STATIC))
        buf_append_string(&builder->buf, ".prototype");
    written = builder_text(builder);
    put_member(&builder->buf, written, name->text, name->length);
    written = builder_text(builder);
    item = class_function(builder, declared, written, node, method->name->end);
    if (!item)
        return;
    put_member(&builder->buf, declared->name, name->text, name->length);
    item->name = builder_text(builder);
    item->comment = doc_find(declared->file->text, (Span){node->full_start, node->start});
    doc_sentence(&builder->buf, declared->file->text, item->comment);
    item->summary = builder_text(builder);
}

void collect_class(Builder *builder, Item *declared, const ClassLike *class_node)
{
    const NodeList *members = class_node->members;
    const Name *name = name_of(class_node->name);
    const char *path, *made;
    Item *item = NULL;

    put_member(&builder->buf, declared->scope->path, name->text, name->length);
    path = builder_text(builder);
    buf_append_string(&builder->buf, "new ");
    buf_append_string(&builder->buf, path);
    made = builder_text(builder);
    for (uint32_t i = 0; i < members->count; i++) {
        const Node *node = members->at[i];
        const Node *first =
            node->kind == NODE_CONSTRUCTOR && as_function(node)->parameters ? node : NULL;
        if (first)
            item =
                class_function(builder, declared, made, node, as_function(node)->parameters->start);
        if (first && item) {
            item->name = declared->name;
            item->summary = declared->summary;
        }
        if (node->kind == NODE_METHOD_DECLARATION)
            class_member(builder, declared, path, node);
    }
    if (!item && !(modifiers_of(class_node->modifiers) & MODIFIER_ABSTRACT)) {
        item = class_function(builder, declared, made, &class_node->node, class_node->node.end);
        if (item) {
            buf_append_string(&builder->buf, made);
            buf_append_string(&builder->buf, "()");
            item->line = builder_text(builder);
            item->name = declared->name;
            item->summary = declared->summary;
        }
    }
}
