#include "eraser.h"

/* ---- functions ---- */

/* modifiers ...name?: type = initializer; `this` goes with its comma */
static void visit_parameter(Eraser *e, const NodeList *list, uint32_t index)
{
    Parameter *parameter = as_parameter(list->at[index]);

    if (parameter->name->kind == NODE_IDENTIFIER &&
        as_identifier(parameter->name)->name->word == TOKEN_THIS) {
        uint32_t end = parameter->node.end;
        uint32_t comma = skip_trivia(e, end);
        if (e->source->text[comma] == ',')
            end = comma + 1;
        blank(e, parameter->node.start, end);
        return;
    }
    blank_modifiers(e, parameter->modifiers, ~(uint32_t)MODIFIER_DECORATOR);
    blank_mark(e, parameter->question, 1);
    blank_type(e, parameter->question ? parameter->question + 1 : parameter->name->end,
               parameter->type);
    visit_binding(e, parameter->name);
    visit(e, parameter->initializer);
}

/* The end of an arrow's head. No line may end between `)` and `=>`: a type over several lines would
 * leave one there, so `)` moves to the type's last byte. */
static void blank_return_type(Eraser *e, FunctionLike *function)
{
    if (!function->type)
        return;
    uint32_t close = function->parameters->end - 1;
    blank_type(e, function->parameters->end, function->type);
    if (function->node.kind == NODE_ARROW_FUNCTION && has_newline(e, close, function->type->end)) {
        blank(e, close, close + 1);
        put(e, function->type->end - 1, ')');
    }
}

/* Type parameters over several lines would leave a line's end behind `async`, `return` and the
 * like, so `(` moves up to where they began. */
static void blank_type_parameters(Eraser *e, FunctionLike *function)
{
    NodeList *list = function->type_parameters;

    if (!list)
        return;
    blank_list(e, list);
    if (function->node.kind == NODE_ARROW_FUNCTION &&
        has_newline(e, list->start, function->parameters->start)) {
        blank(e, function->parameters->start, function->parameters->start + 1);
        put(e, list->start, '(');
    }
}

static void bind_parameters(Eraser *e, const FunctionLike *function)
{
    for (uint32_t i = 0; function->parameters && i < function->parameters->count; i++)
        scope_binding(e, as_parameter(function->parameters->at[i])->name, SYMBOL_VALUE, NULL);
}

void visit_body(Eraser *e, Node *body)
{
    if (!body || body->kind != NODE_BLOCK) {
        visit(e, body);
        return;
    }
    Scope scope;
    bool was_in_block = e->in_block;
    e->in_block = true;
    scope_enter(e, &scope);
    scope_statements(e, as_list(body)->list);
    scope_hoist(e, as_list(body)->list);
    visit_statements(e, as_list(body)->list);
    scope_leave(e, &scope);
    e->in_block = was_in_block;
}

void visit_function(Eraser *e, FunctionLike *function)
{
    Scope scope;

    blank_mark(e, function->question, 1);
    blank_type_parameters(e, function);
    scope_enter(e, &scope);
    if (e->watched) {
        if (function->node.kind == NODE_FUNCTION_EXPRESSION && function->name)
            scope_binding(e, function->name, SYMBOL_VALUE, NULL);
        bind_parameters(e, function);
    }
    for (uint32_t i = 0; function->parameters && i < function->parameters->count; i++)
        visit_parameter(e, function->parameters, i);
    blank_return_type(e, function);
    visit_body(e, function->body);
    bool is_accessor =
        function->node.kind == NODE_GET_ACCESSOR || function->node.kind == NODE_SET_ACCESSOR;
    if (is_accessor && !function->body) { /* an error that only the check tells */
        uint32_t end = function->node.end;
        uint32_t at = e->source->text[end - 1] == ';' ? end - 1 : end;
        blank(e, at, end);
        edit(e, (Edit){.at = at, .after = end - at, .text = " { }"});
        e->lowered |= LOWERED_BODY;
    }
    scope_leave(e, &scope);
}

Node *visit_function_node(Eraser *e, Node *node)
{
    enum { KEPT = MODIFIER_EXPORT | MODIFIER_DEFAULT | MODIFIER_ASYNC };
    FunctionLike *function = as_function(node);

    blank_modifiers(e, function->modifiers, ~(uint32_t)KEPT);
    if (node->kind != NODE_FUNCTION_EXPRESSION && node->kind != NODE_FUNCTION_DECLARATION)
        visit_member_name(e, function->name);
    visit_function(e, function);
    return NULL;
}

/* ---- loops and catch ---- */

static void bind_head(Eraser *e, Node *initializer)
{
    if (!e->watched || !initializer || initializer->kind != NODE_VARIABLE_DECLARATION_LIST)
        return;
    NodeList *list = as_variable_declaration_list(initializer)->list;
    if (as_variable_declaration_list(initializer)->variable == VARIABLE_VAR)
        return;
    for (uint32_t i = 0; i < list->count; i++)
        scope_binding(e, as_variable_declaration(list->at[i])->name, SYMBOL_VALUE, NULL);
}

Node *visit_for(Eraser *e, Node *node)
{
    ForStatement *loop = as_for_statement(node);
    Scope scope;

    scope_enter(e, &scope);
    bind_head(e, loop->initializer);
    visit(e, loop->initializer);
    visit(e, loop->condition);
    visit(e, loop->increment);
    visit(e, visit_embedded(e, loop->statement));
    scope_leave(e, &scope);
    return NULL;
}

Node *visit_for_each(Eraser *e, Node *node)
{
    ForEach *loop = as_for_each(node);
    Scope scope;

    scope_enter(e, &scope);
    bind_head(e, loop->initializer);
    visit(e, loop->initializer);
    visit(e, loop->expression);
    visit(e, visit_embedded(e, loop->statement));
    scope_leave(e, &scope);
    return NULL;
}

Node *visit_loop(Eraser *e, Node *node)
{
    visit(e, as_loop(node)->expression);
    return visit_embedded(e, as_loop(node)->statement);
}

Node *visit_if(Eraser *e, Node *node)
{
    Conditional *statement = as_conditional(node);

    visit(e, statement->condition);
    visit(e, visit_embedded(e, statement->when_true));
    return visit_embedded(e, statement->when_false);
}

Node *visit_labeled(Eraser *e, Node *node)
{
    return visit_embedded(e, as_labeled_statement(node)->statement);
}

Node *visit_catch(Eraser *e, Node *node)
{
    CatchClause *clause = as_catch_clause(node);
    Scope scope;

    scope_enter(e, &scope);
    if (clause->variable) {
        scope_binding(e, as_variable_declaration(clause->variable)->name, SYMBOL_VALUE, NULL);
        visit(e, clause->variable);
    }
    visit(e, clause->block);
    scope_leave(e, &scope);
    return NULL;
}

/* name!: type = initializer */
Node *visit_declaration(Eraser *e, Node *node)
{
    VariableDeclaration *declaration = as_variable_declaration(node);

    blank_mark(e, declaration->exclamation, 1);
    blank_type(e, declaration->exclamation ? declaration->exclamation + 1 : declaration->name->end,
               declaration->type);
    visit_binding(e, declaration->name);
    return declaration->initializer;
}

Node *visit_case_block(Eraser *e, Node *node)
{
    NodeList *clauses = as_list(node)->list;
    Scope scope;
    bool was_in_block = e->in_block;

    e->in_block = true;
    scope_enter(e, &scope);
    for (uint32_t i = 0; i < clauses->count; i++)
        scope_statements(e, as_case_clause(clauses->at[i])->statements);
    for (uint32_t i = 0; i < clauses->count; i++) {
        visit(e, as_case_clause(clauses->at[i])->expression);
        visit_statements(e, as_case_clause(clauses->at[i])->statements);
    }
    scope_leave(e, &scope);
    e->in_block = was_in_block;
    return NULL;
}
