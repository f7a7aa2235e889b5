#include "outline.h"

#include <string.h>

#include "advice.h"

typedef struct Maker {
    Arena *arena;
    Outline *out;
    size_t export_room;
    size_t return_room;
} Maker;

static const char *text_of(Maker *maker, const Node *node)
{
    return arena_text(maker->arena, maker->out->source->text + node->start,
                      node->end - node->start);
}

/* ---- returns ---- */

static bool is_function_like(const Node *node)
{
    switch (node->kind) {
    case NODE_FUNCTION_DECLARATION:
    case NODE_FUNCTION_EXPRESSION:
    case NODE_ARROW_FUNCTION:
    case NODE_CLASS_DECLARATION:
    case NODE_CLASS_EXPRESSION:
    case NODE_METHOD_DECLARATION:
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
    case NODE_MODULE_DECLARATION:
        return true;
    default:
        return false;
    }
}

static void add_return(Maker *maker, const Node *node)
{
    Outline *out = maker->out;

    if (out->return_count == maker->return_room) {
        size_t room = maker->return_room ? maker->return_room * 2 : 8;
        const Node **grown = arena_grow(maker->arena, out->returns,
                                        maker->return_room * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return;
        out->returns = grown;
        maker->return_room = room;
    }
    out->returns[out->return_count++] = node;
}

/* As deep as the parser lets statements be nested. */
static bool find_returns(Node *node, void *context)
{
    if (node->kind == NODE_RETURN_STATEMENT)
        add_return(context, node);
    if (!is_function_like(node))
        (void)tree_each_child(node, find_returns, context);
    return true;
}

/* ---- exports ---- */

static void add_export(Maker *maker, const char *name, const char *local, Span place)
{
    Outline *out = maker->out;

    if (out->export_count == maker->export_room) {
        size_t room = maker->export_room ? maker->export_room * 2 : 8;
        OutlineExport *grown = arena_grow(maker->arena, out->exports,
                                          maker->export_room * sizeof *grown, room * sizeof *grown);
        if (!grown)
            return;
        out->exports = grown;
        maker->export_room = room;
    }
    out->exports[out->export_count++] = (OutlineExport){name, local, place};
}

static void export_name(Maker *maker, const Node *name)
{
    const char *text = name ? text_of(maker, name) : NULL;

    if (text)
        add_export(maker, text, text, (Span){name->start, name->end});
}

/* A name, or all names in a pattern. */
static bool export_binding(Node *node, void *context)
{
    Maker *maker = context;

    if (node->kind == NODE_IDENTIFIER)
        export_name(maker, node);
    else if (node->kind == NODE_BINDING_ELEMENT)
        return export_binding(as_binding_element(node)->name, maker);
    else if (node->kind == NODE_OBJECT_BINDING_PATTERN || node->kind == NODE_ARRAY_BINDING_PATTERN)
        return tree_each_child(node, export_binding, maker);
    return true;
}

static void export_variables(Maker *maker, const Node *statement)
{
    const NodeList *list =
        as_variable_declaration_list(as_variable_statement(statement)->declarations)->list;

    for (uint32_t i = 0; i < list->count; i++)
        (void)export_binding(as_variable_declaration(list->at[i])->name, maker);
}

/* The name without quotes of `export { a as "b c" }`. */
static const char *specifier_text(Maker *maker, const Node *name)
{
    if (name->kind == NODE_STRING_LITERAL && name->end - name->start >= 2)
        return arena_text(maker->arena, maker->out->source->text + name->start + 1,
                          name->end - name->start - 2);
    return text_of(maker, name);
}

static void export_list(Maker *maker, const Node *statement)
{
    const ExportDeclaration *declaration = as_export_declaration(statement);
    const Node *clause = declaration->clause;

    if (!clause) {
        maker->out->exports_all = true;
        return;
    }
    if (clause->kind == NODE_NAMESPACE_EXPORT) {
        const Node *name = as_unary(clause)->expression;
        add_export(maker, specifier_text(maker, name), NULL, (Span){name->start, name->end});
        return;
    }
    const NodeList *list = as_list(clause)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        const Specifier *specifier = as_specifier(list->at[i]);
        const Node *inside = specifier->property_name ? specifier->property_name : specifier->name;
        bool elsewhere = declaration->module || declaration->type_only || specifier->type_only;
        const char *name = specifier_text(maker, specifier->name);
        const char *local = elsewhere ? NULL : text_of(maker, inside);
        if (name)
            add_export(maker, name, local, (Span){specifier->name->start, specifier->name->end});
    }
}

/* ---- the default export ---- */

static const Node *without_parentheses(const Node *node)
{
    while (node->kind == NODE_PARENTHESIZED_EXPRESSION && as_unary(node)->expression)
        node = as_unary(node)->expression;
    return node;
}

static bool takes_nothing(const Node *node)
{
    if (node->kind != NODE_ARROW_FUNCTION && node->kind != NODE_FUNCTION_EXPRESSION &&
        node->kind != NODE_FUNCTION_DECLARATION)
        return false;
    const NodeList *parameters = as_function(node)->parameters;
    return parameters && parameters->count == 0;
}

static Span modifier_span(const NodeList *modifiers, uint32_t bit)
{
    for (uint32_t i = 0; modifiers && i < modifiers->count; i++) {
        if (modifiers->at[i]->kind == NODE_MODIFIER && as_modifier(modifiers->at[i])->bit == bit)
            return (Span){modifiers->at[i]->start, modifiers->at[i]->end};
    }
    return (Span){0, 0};
}

static void note_default_value(Maker *maker, const Node *statement)
{
    const Node *value = as_export_assignment(statement)->expression;
    OutlineDefault *out = &maker->out->default_export;

    *out = (OutlineDefault){
        .statement = statement,
        .words = {statement->start, value->start},
        .place = {value->start, value->end},
        .is_function = takes_nothing(without_parentheses(value)),
    };
    add_export(maker, "default", NULL, out->place);
}

static void note_default_declaration(Maker *maker, const Node *statement, const NodeList *modifiers,
                                     const Node *name)
{
    OutlineDefault *out = &maker->out->default_export;

    *out = (OutlineDefault){
        .statement = statement,
        .words = {modifier_span(modifiers, MODIFIER_EXPORT).start,
                  modifier_span(modifiers, MODIFIER_DEFAULT).end},
        .place = {statement->start, statement->end},
        .has_name = name != NULL,
        .is_function = takes_nothing(statement),
    };
    if (name)
        out->place = (Span){name->start, name->end};
    add_export(maker, "default", name ? text_of(maker, name) : NULL, out->place);
}

/* ---- statements ---- */

/* The name that a declaring statement gives; NULL for others. */
static const Node *declared_name(const Node *node)
{
    switch (node->kind) {
    case NODE_FUNCTION_DECLARATION:
        return as_function(node)->name;
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
        return as_class(node)->name;
    case NODE_TYPE_ALIAS_DECLARATION:
        return as_type_alias(node)->name;
    case NODE_ENUM_DECLARATION:
        return as_enum_declaration(node)->name;
    case NODE_MODULE_DECLARATION:
        return as_module_declaration(node)->name;
    default:
        return NULL;
    }
}

static bool is_type_declaration(const Node *node)
{
    return node->kind == NODE_INTERFACE_DECLARATION || node->kind == NODE_TYPE_ALIAS_DECLARATION;
}

static void look_at_declaration(Maker *maker, OutlineStatement *statement)
{
    const Node *node = statement->node, *name = declared_name(node);
    const NodeList *modifiers = node_modifiers(node);
    uint32_t bits = modifiers_of(modifiers);

    statement->hoisted = node->kind == NODE_MODULE_DECLARATION || (bits & MODIFIER_DECLARE);
    if (!(bits & MODIFIER_EXPORT))
        return;
    statement->export_word = modifier_span(modifiers, MODIFIER_EXPORT);
    if (bits & MODIFIER_DEFAULT) {
        note_default_declaration(maker, node, modifiers, name);
        statement->export_word.end = maker->out->default_export.words.end;
    } else if (node->kind == NODE_VARIABLE_STATEMENT) {
        export_variables(maker, node);
    } else if (!is_type_declaration(node)) {
        export_name(maker, name);
    }
}

static void look_at(Maker *maker, OutlineStatement *statement)
{
    const Node *node = statement->node;

    switch (node->kind) {
    case NODE_IMPORT_DECLARATION:
    case NODE_IMPORT_EQUALS_DECLARATION:
        statement->hoisted = true;
        break;
    case NODE_EXPORT_DECLARATION:
        export_list(maker, node);
        statement->hoisted = as_export_declaration(node)->module != NULL;
        statement->dropped = !statement->hoisted;
        break;
    case NODE_EXPORT_ASSIGNMENT:
        if (!as_export_assignment(node)->equals)
            note_default_value(maker, node);
        break;
    case NODE_NAMESPACE_EXPORT_DECLARATION:
        statement->dropped = true;
        break;
    default:
        look_at_declaration(maker, statement);
        (void)find_returns(statement->node, maker);
        break;
    }
}

/* ---- the last expression ---- */

/* Statements that leave the value of a program as it is, and that may follow a `return`. */
static bool is_silent(const Node *node)
{
    return node->kind == NODE_EMPTY_STATEMENT || node->kind == NODE_EXPORT_DECLARATION ||
           node->kind == NODE_IMPORT_DECLARATION ||
           (node->kind != NODE_VARIABLE_STATEMENT && node_modifiers(node)) ||
           is_type_declaration(node) || node->kind == NODE_FUNCTION_DECLARATION;
}

static void find_last(Outline *out)
{
    size_t at = out->count;

    while (at > 0 && is_silent(out->statements[at - 1].node))
        at--;
    if (at == 0)
        return;
    const Node *node = out->statements[at - 1].node;
    if (node->kind != NODE_EXPRESSION_STATEMENT)
        return;
    out->last = node;
    const Node *value = without_parentheses(as_unary(node)->expression);
    if (out->count == 1 &&
        (value->kind == NODE_ARROW_FUNCTION || value->kind == NODE_FUNCTION_EXPRESSION))
        out->function = value;
}

/* ---- what must go with what is hoisted ---- */

typedef struct Search {
    Outline *out;
    bool grew;
    size_t left; /* comparisons: a text that needs more of them is not taken apart */
} Search;

static bool declares(const Node *node, const Name *name);

typedef struct Lookup {
    const Name *name;
    bool found;
} Lookup;

static bool declares_in_pattern(Node *node, void *context)
{
    Lookup *lookup = context;

    if (node->kind == NODE_IDENTIFIER)
        lookup->found |= as_identifier(node)->name == lookup->name;
    else if (node->kind == NODE_BINDING_ELEMENT)
        return declares_in_pattern(as_binding_element(node)->name, context);
    else if (node->kind == NODE_OBJECT_BINDING_PATTERN || node->kind == NODE_ARRAY_BINDING_PATTERN)
        return tree_each_child(node, declares_in_pattern, context);
    return true;
}

static bool declares(const Node *node, const Name *name)
{
    const Node *own = declared_name(node);
    Lookup lookup = {name, false};

    if (own && own->kind == NODE_IDENTIFIER)
        return as_identifier(own)->name == name;
    if (node->kind != NODE_VARIABLE_STATEMENT)
        return false;
    const NodeList *list =
        as_variable_declaration_list(as_variable_statement(node)->declarations)->list;
    for (uint32_t i = 0; i < list->count; i++)
        (void)declares_in_pattern(as_variable_declaration(list->at[i])->name, &lookup);
    return lookup.found;
}

/* A name is used in what is hoisted: what declares it comes along, or it cannot be. */
static void bring(Search *search, const Name *name)
{
    if (search->left < search->out->count) {
        search->out->can_be_body = false;
        return;
    }
    search->left -= search->out->count;
    for (size_t i = 0; i < search->out->count; i++) {
        OutlineStatement *statement = &search->out->statements[i];
        if (statement->hoisted || !declares(statement->node, name))
            continue;
        if (statement->node->kind == NODE_VARIABLE_STATEMENT) {
            search->out->can_be_body = false;
            continue;
        }
        statement->hoisted = true;
        search->grew = true;
    }
}

/* The name of a member or parameter is no use of a name. */
static const Node *own_name(const Node *node)
{
    switch (node->kind) {
    case NODE_PROPERTY_SIGNATURE:
    case NODE_PROPERTY_DECLARATION:
        return as_property(node)->name;
    case NODE_METHOD_SIGNATURE:
    case NODE_METHOD_DECLARATION:
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
        return as_function(node)->name;
    case NODE_PARAMETER:
        return as_parameter(node)->name;
    case NODE_PROPERTY_ACCESS:
        return as_property_access(node)->name;
    case NODE_QUALIFIED_NAME:
        return as_qualified_name(node)->right;
    case NODE_PROPERTY_ASSIGNMENT:
        return as_property_assignment(node)->name;
    case NODE_ENUM_MEMBER:
        return as_enum_member(node)->name;
    case NODE_NAMED_TUPLE_MEMBER:
        return as_named_tuple_member(node)->name;
    default:
        return NULL;
    }
}

typedef struct Inside {
    Search *search;
    const Node *skipped;
} Inside;

static bool find_uses(Node *node, void *context)
{
    const Inside *around = context;

    if (node == around->skipped && node->kind == NODE_IDENTIFIER)
        return true;
    if (node->kind == NODE_IDENTIFIER)
        bring(around->search, as_identifier(node)->name);
    Inside inside = {around->search, own_name(node)};
    return tree_each_child(node, find_uses, &inside);
}

static void close_hoisted(Outline *out)
{
    Search search = {out, true, 2000000};
    Inside inside = {&search, NULL};

    out->can_be_body = true;
    while (search.grew && out->can_be_body) {
        search.grew = false;
        for (size_t i = 0; i < out->count; i++) {
            const OutlineStatement *statement = &out->statements[i];
            if (statement->hoisted && statement->node->kind != NODE_IMPORT_DECLARATION)
                (void)find_uses(statement->node, &inside);
        }
    }
}

/* ---- all of it ---- */

void outline_make(Arena *arena, const Source *source, const SourceFile *file, Outline *out_outline)
{
    Maker maker = {.arena = arena, .out = out_outline};
    const NodeList *list = file ? file->statements : NULL;

    *out_outline = (Outline){.source = source, .can_be_body = file != NULL};
    if (!list || list->count == 0)
        return;
    out_outline->statements = ARENA_ARRAY(arena, OutlineStatement, list->count);
    if (!out_outline->statements)
        return;
    out_outline->count = list->count;
    for (uint32_t i = 0; i < list->count; i++) {
        out_outline->statements[i].node = list->at[i];
        look_at(&maker, &out_outline->statements[i]);
    }
    out_outline->end = list->at[list->count - 1]->end;
    find_last(out_outline);
    completion_find(arena, list, &out_outline->completion);
    close_hoisted(out_outline);
}

bool outline_bring(Arena *arena, Outline *outline, const Name *name)
{
    Search search = {outline, false, 2000000};
    OutlineStatement *before = ARENA_ARRAY(arena, OutlineStatement, outline->count + 1);

    if (!before)
        return false;
    memcpy(before, outline->statements, outline->count * sizeof *before);
    bring(&search, name);
    if (outline->can_be_body && search.grew)
        close_hoisted(outline);
    if (outline->can_be_body)
        return true;
    memcpy(outline->statements, before, outline->count * sizeof *before);
    outline->can_be_body = true;
    return false;
}

const OutlineExport *outline_export(const Outline *outline, const char *name)
{
    for (size_t i = 0; i < outline->export_count; i++) {
        if (outline->exports[i].name && strcmp(outline->exports[i].name, name) == 0)
            return &outline->exports[i];
    }
    return NULL;
}

const char *outline_nearest_export(const Outline *outline, const char *name)
{
    enum { LOOKED_AT = 64 };
    const char *names[LOOKED_AT];
    size_t count = 0;

    for (size_t i = 0; i < outline->export_count && count < LOOKED_AT; i++) {
        if (outline->exports[i].name)
            names[count++] = outline->exports[i].name;
    }
    return spelling_nearest(name, strlen(name), names, count);
}
