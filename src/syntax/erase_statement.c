#include "eraser.h"

bool stays_open(const Eraser *e, const Node *statement)
{
    if (!statement)
        return false;
    char last = e->source->text[statement->end - 1];

    switch (statement->kind) {
    case NODE_BLOCK:
    case NODE_FUNCTION_DECLARATION:
    case NODE_CLASS_DECLARATION:
    case NODE_INTERFACE_DECLARATION:
    case NODE_ENUM_DECLARATION:
    case NODE_MODULE_DECLARATION:
    case NODE_METHOD_DECLARATION:
    case NODE_CONSTRUCTOR:
    case NODE_CLASS_STATIC_BLOCK:
        return last != '}' && last != ';';
    default:
        return last != ';';
    }
}

void remove_statement(Eraser *e, const Node *statement, const Node *before)
{
    blank(e, statement->start, statement->end);
    if (stays_open(e, before))
        put(e, statement->start, ';');
}

static bool has(const NodeList *modifiers, uint32_t bits)
{
    return modifiers_of(modifiers) & bits;
}

/* What exists for types only. Of imports and exports those which their words mark as such. */
bool vanishes(const Node *statement)
{
    switch (statement->kind) {
    case NODE_INTERFACE_DECLARATION:
    case NODE_TYPE_ALIAS_DECLARATION:
    case NODE_NAMESPACE_EXPORT_DECLARATION:
    case NODE_MISSING_DECLARATION:
        return true;
    case NODE_VARIABLE_STATEMENT:
        return has(as_variable_statement(statement)->modifiers, MODIFIER_DECLARE);
    case NODE_FUNCTION_DECLARATION:
        return !as_function(statement)->body ||
               has(as_function(statement)->modifiers, MODIFIER_DECLARE);
    case NODE_CLASS_DECLARATION:
        return has(as_class(statement)->modifiers, MODIFIER_DECLARE);
    case NODE_ENUM_DECLARATION:
        return has(as_enum_declaration(statement)->modifiers, MODIFIER_DECLARE);
    case NODE_MODULE_DECLARATION: {
        const ModuleDeclaration *module = as_module_declaration(statement);
        return has(module->modifiers, MODIFIER_DECLARE) || module->name->kind != NODE_IDENTIFIER ||
               module->token == TOKEN_GLOBAL || !namespace_has_values(module);
    }
    case NODE_IMPORT_EQUALS_DECLARATION:
        return as_import_equals(statement)->type_only;
    case NODE_EXPORT_DECLARATION:
        return as_export_declaration(statement)->type_only;
    default:
        return false;
    }
}

static void export_from_namespace(Eraser *e, Node *name, uint32_t end)
{
    if (name && name->kind == NODE_IDENTIFIER)
        edit(e,
             (Edit){.at = end,
                    .text = text_of(e, " " PARAMETER ".%s = %s;", as_identifier(name)->name->text,
                                    as_identifier(name)->name->text),
                    .frame = e->frame});
}

static NodeList *modifiers_in(const Node *statement)
{
    switch (statement->kind) {
    case NODE_VARIABLE_STATEMENT:
        return as_variable_statement(statement)->modifiers;
    case NODE_FUNCTION_DECLARATION:
        return as_function(statement)->modifiers;
    case NODE_CLASS_DECLARATION:
        return as_class(statement)->modifiers;
    default:
        return NULL;
    }
}

/* In a namespace, what is exported becomes a property of it. */
static bool visit_namespace_export(Eraser *e, Node *statement, const Node *before)
{
    NodeList *modifiers = modifiers_in(statement);

    if (!e->frame || e->frame->kind != NODE_MODULE_DECLARATION || e->frame->depth != e->depth ||
        !has(modifiers, MODIFIER_EXPORT))
        return false;
    if (statement->kind == NODE_VARIABLE_STATEMENT) {
        visit_exported_variables(e, as_variable_statement(statement), before);
        return true;
    }
    blank_modifiers(e, modifiers, MODIFIER_EXPORT | MODIFIER_DEFAULT);
    visit(e, statement);
    export_from_namespace(e,
                          statement->kind == NODE_CLASS_DECLARATION ? as_class(statement)->name
                                                                    : as_function(statement)->name,
                          statement->end);
    return true;
}

/* Imports and exports of modules in a namespace are errors that the check tells, and nothing else.
 */
static bool is_misplaced(const Eraser *e, const Node *statement)
{
    bool is_export = statement->kind == NODE_EXPORT_DECLARATION ||
                     statement->kind == NODE_EXPORT_ASSIGNMENT ||
                     statement->kind == NODE_IMPORT_DECLARATION;

    return is_export && e->frame && e->frame->depth == e->depth;
}

static Node *visit_statement(Eraser *e, Node *statement, const Node *before)
{
    if (!may_declare(statement))
        return statement;
    if (statement->kind == NODE_CLASS_DECLARATION)
        scope_declared(e, vanishes(statement) ? NULL : as_class(statement)->name);
    if (statement->kind == NODE_FUNCTION_DECLARATION &&
        !has(as_function(statement)->modifiers, MODIFIER_DECLARE))
        scope_declared(e, as_function(statement)->name);
    if (vanishes(statement) || is_misplaced(e, statement)) {
        remove_statement(e, statement, before);
        return NULL;
    }
    switch (statement->kind) {
    case NODE_IMPORT_DECLARATION:
        return visit_import(e, statement, before);
    case NODE_EXPORT_DECLARATION:
        return visit_export(e, statement, before);
    case NODE_EXPORT_ASSIGNMENT:
        return visit_export_assignment(e, statement, before);
    case NODE_IMPORT_EQUALS_DECLARATION:
        return visit_import_equals(e, statement, before);
    default:
        return visit_namespace_export(e, statement, before) ? NULL : statement;
    }
}

void visit_statements(Eraser *e, const NodeList *list)
{
    for (uint32_t i = 0; i < list->count; i++) {
        e->before = i > 0 ? list->at[i - 1] : NULL;
        visit(e, visit_statement(e, list->at[i], e->before));
    }
}

/* The one statement of an `if` or a loop: something must stay of it. */
Node *visit_embedded(Eraser *e, Node *statement)
{
    if (!statement)
        return NULL;
    if (vanishes(statement)) {
        blank(e, statement->start, statement->end);
        put(e, statement->start, ';');
        return NULL;
    }
    if (statement->kind == NODE_ENUM_DECLARATION || statement->kind == NODE_MODULE_DECLARATION) {
        NodeList *alone = arena_push(e->arena, sizeof *alone + sizeof(Node *));
        Scope scope;
        if (!alone)
            return NULL;
        alone->count = 1;
        alone->at[0] = statement;
        edit_text(e, statement->start, "{ ");
        scope_enter(e, &scope);
        scope_statements(e, alone);
        visit_statements(e, alone);
        scope_leave(e, &scope);
        edit_text(e, statement->end, " }");
        return NULL;
    }
    return statement;
}

Node *visit_variable_statement(Eraser *e, Node *node)
{
    blank_modifiers(e, as_variable_statement(node)->modifiers, ~(uint32_t)MODIFIER_EXPORT);
    visit_each(e, as_variable_declaration_list(as_variable_statement(node)->declarations)->list);
    return NULL;
}

Node *visit_block(Eraser *e, Node *node)
{
    Scope scope;
    bool was_in_block = e->in_block;

    e->in_block = true;
    scope_enter(e, &scope);
    scope_statements(e, as_list(node)->list);
    visit_statements(e, as_list(node)->list);
    scope_leave(e, &scope);
    e->in_block = was_in_block;
    return NULL;
}
