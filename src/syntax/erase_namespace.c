#include "eraser.h"

/* ---- is there anything in it? ----
 *
 * A namespace of types alone vanishes. Enums count, constant ones too, since their members are not
 * put in place of their names here. */

static bool exports_values(const ExportDeclaration *export)
{
    return export->module || !export->clause || export->clause->kind != NODE_NAMED_EXPORTS ||
           as_list(export->clause)->list->count > 0;
}

static bool has_value(const Node *statement)
{
    switch (statement->kind) {
    case NODE_INTERFACE_DECLARATION:
    case NODE_TYPE_ALIAS_DECLARATION:
    case NODE_IMPORT_DECLARATION:
        return false;
    case NODE_IMPORT_EQUALS_DECLARATION:
        return modifiers_of(as_import_equals(statement)->modifiers) & MODIFIER_EXPORT;
    case NODE_EXPORT_DECLARATION:
        return exports_values(as_export_declaration(statement));
    case NODE_MODULE_DECLARATION:
        return namespace_has_values(as_module_declaration(statement));
    default:
        return true;
    }
}

bool namespace_has_values(const ModuleDeclaration *module)
{
    while (module->body && module->body->kind == NODE_MODULE_DECLARATION)
        module = as_module_declaration(module->body);
    if (!module->body)
        return true;
    NodeList *list = as_list(module->body)->list;
    for (uint32_t i = 0; i < list->count; i++) {
        if (has_value(list->at[i]))
            return true;
    }
    return false;
}

/* ---- what is written around the body ---- */

bool is_exported_member(const Eraser *e, const NodeList *modifiers)
{
    return e->frame && e->frame->kind == NODE_MODULE_DECLARATION && e->frame->depth == e->depth &&
           modifiers_of(modifiers) & MODIFIER_EXPORT;
}

/* `var N; ` the first time, unless a class or a function of that name is there. */
static const char *declaration_text(Eraser *e, Symbol *symbol, const NodeList *modifiers,
                                    bool exported_member)
{
    if (symbol->flags & SYMBOL_DECLARED)
        return "";
    symbol->flags |= SYMBOL_DECLARED;
    bool exported = modifiers_of(modifiers) & MODIFIER_EXPORT && !exported_member;
    return text_of(e, "%s%s %s; ", exported ? "export " : "", e->in_block ? "let" : "var",
                   symbol->name->text);
}

void open_container(Eraser *e, Frame *frame, Symbol *symbol, const NodeList *modifiers,
                    uint32_t start, uint32_t end)
{
    const Frame *outer = frame->outer;
    bool member =
        outer && outer->kind == NODE_MODULE_DECLARATION && outer->depth + 1 == frame->depth;
    const char *declaration = declaration_text(e, symbol, modifiers, member);

    const char *apart = declaration && !*declaration && stays_open(e, e->before) ? ";" : "";

    blank(e, start, end);
    edit(e, (Edit){.at = start,
                   .after = end - start,
                   .text = text_of(e, "%s%s(function (" PARAMETER ") {", apart,
                                   declaration ? declaration : ""),
                   .frame = frame});
}

void close_container(Eraser *e, const Name *name, bool exported, uint32_t end, const char *brace)
{
    const char *n = name->text;
    const char *text =
        exported
            ? text_of(e, "%s)(%s = " PARAMETER ".%s || (" PARAMETER ".%s = {}));", brace, n, n, n)
            : text_of(e, "%s)(%s || (%s = {}));", brace, n, n);

    edit(e, (Edit){.at = end, .text = text, .frame = exported ? e->frame : NULL});
}

/* ---- the body ---- */

static void visit_module(Eraser *e, ModuleDeclaration *module, Symbol *symbol,
                         const NodeList *modifiers, uint32_t start);

/* Of `namespace A.B {}`, B: exported by A, and without braces of its own. */
static void visit_nested(Eraser *e, ModuleDeclaration *nested, uint32_t start)
{
    Name *name = as_identifier(nested->name)->name;
    Symbol *symbol;

    watch(e, name);
    symbol = scope_bind(e, name, SYMBOL_VALUE, &nested->node);
    if (!symbol)
        return;
    Symbol *shared = symbol_export(e, e->frame->symbol, name);
    symbol->shared = shared ? shared : symbol;
    visit_module(e, nested, symbol, NULL, start);
    bool has_brace = nested->body->kind == NODE_MODULE_BLOCK;
    close_container(e, name, true, nested->node.end, has_brace ? "" : "}");
}

static void visit_module_block(Eraser *e, NodeList *statements)
{
    bool was_in_block = e->in_block;

    e->in_block = true;
    scope_statements(e, statements);
    scope_hoist(e, statements);
    visit_statements(e, statements);
    e->in_block = was_in_block;
}

static void visit_module(Eraser *e, ModuleDeclaration *module, Symbol *symbol,
                         const NodeList *modifiers, uint32_t start)
{
    Node *body = module->body;
    Frame *frame = ARENA_NEW(e->arena, Frame);
    Scope scope;

    if (!frame)
        return;
    scope_enter(e, &scope);
    frame_enter(e, frame, symbol, module->name, NODE_MODULE_DECLARATION);
    if (body->kind == NODE_MODULE_BLOCK) {
        open_container(e, frame, symbol, modifiers, start, body->start + 1);
        visit_module_block(e, as_list(body)->list);
    } else {
        open_container(e, frame, symbol, modifiers, start, body->start);
        visit_nested(e, as_module_declaration(body), start);
    }
    scope_leave(e, &scope);
    e->frame = frame->outer;
}

Node *visit_namespace(Eraser *e, Node *node)
{
    ModuleDeclaration *module = as_module_declaration(node);
    Symbol *symbol = scope_any(e, as_identifier(module->name)->name);

    if (!symbol || !module->body)
        return NULL;
    e->lowered |= LOWERED_NAMESPACE;
    visit_module(e, module, symbol, module->modifiers, node->start);
    bool has_brace = module->body->kind == NODE_MODULE_BLOCK;
    close_container(e, symbol->name, is_exported_member(e, module->modifiers), node->end,
                    has_brace ? "" : "}");
    return NULL;
}

/* ---- export const a = 1, { b } = c ---- */

static void export_name(Eraser *e, const Node *name, uint32_t blanks)
{
    edit(e, (Edit){.at = name->start, .before = blanks, .text = PARAMETER ".", .frame = e->frame});
}

/* As the target of an assignment: `{ a, b: c, ...d }` is `{ a: N.a, b: N.c, ...N.d }`. */
static void export_pattern(Eraser *e, Node *pattern)
{
    NodeList *list = as_list(pattern)->list;

    for (uint32_t i = 0; i < list->count; i++) {
        if (list->at[i]->kind != NODE_BINDING_ELEMENT)
            continue;
        BindingElement *one = as_binding_element(list->at[i]);
        visit_member_name(e, one->property_name);
        if (one->name->kind != NODE_IDENTIFIER)
            export_pattern(e, one->name);
        else if (pattern->kind == NODE_ARRAY_BINDING_PATTERN || one->property_name || one->rest)
            export_name(e, one->name, 0);
        else
            edit(e, (Edit){.at = one->name->end,
                           .text = text_of(e, ": " PARAMETER ".%s",
                                           as_identifier(one->name)->name->text),
                           .frame = e->frame});
        visit(e, one->initializer);
    }
}

static void export_declaration(Eraser *e, VariableDeclaration *one, uint32_t blanks,
                               const char *open)
{
    blank_mark(e, one->exclamation, 1);
    blank_type(e, one->exclamation ? one->exclamation + 1 : one->name->end, one->type);
    if (one->name->kind == NODE_IDENTIFIER) {
        e->frame->taken |= as_identifier(one->name)->name == e->frame->name;
        export_name(e, one->name, blanks);
        visit(e, one->initializer);
        return;
    }
    e->lowered |= LOWERED_PATTERN;
    edit(e, (Edit){.at = one->name->start, .before = blanks, .text = open});
    export_pattern(e, one->name);
    visit(e, one->initializer);
    edit_text(e, one->node.end, ")");
}

/* Assignments to properties of the namespace; what has no value is not written. */
void visit_exported_variables(Eraser *e, VariableStatement *statement, const Node *before)
{
    NodeList *list = as_variable_declaration_list(statement->declarations)->list;
    bool is_first = true;

    for (uint32_t i = 0; i < list->count; i++) {
        VariableDeclaration *one = as_variable_declaration(list->at[i]);
        uint32_t comma = i > 0 ? skip_trivia(e, list->at[i - 1]->end) : 0;
        if (i > 0)
            blank(e, comma, comma + 1);
        if (!one->initializer) {
            blank(e, one->node.start, one->node.end);
            continue;
        }
        if (i > 0 && !is_first)
            put(e, comma, ',');
        uint32_t blanks = i == 0 ? one->node.start - statement->node.start : 0;
        export_declaration(e, one, blanks, is_first && stays_open(e, before) ? ";(" : "(");
        is_first = false;
    }
    if (is_first)
        remove_statement(e, &statement->node, before);
    else
        blank(e, statement->node.start, list->at[0]->start);
}
