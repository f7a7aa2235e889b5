#include "eraser.h"

/* modifiers that mean nothing at run time */
enum {
    ERASED_MODIFIERS = MODIFIER_DECLARE | MODIFIER_ABSTRACT | MODIFIER_PUBLIC | MODIFIER_PRIVATE |
                       MODIFIER_PROTECTED | MODIFIER_READONLY | MODIFIER_OVERRIDE |
                       /* wrong here, as the check tells */
                       MODIFIER_CONST | MODIFIER_EXPORT | MODIFIER_DEFAULT | MODIFIER_IN |
                       MODIFIER_OUT
};

static bool member_vanishes(const Node *member)
{
    uint32_t modifiers = modifiers_of(node_modifiers(member));

    switch (member->kind) {
    case NODE_INDEX_SIGNATURE:
        return true;
    case NODE_PROPERTY_DECLARATION:
        return modifiers & (MODIFIER_DECLARE | MODIFIER_ABSTRACT);
    case NODE_METHOD_DECLARATION:
    case NODE_CONSTRUCTOR:
        return !as_function(member)->body;
    case NODE_GET_ACCESSOR:
    case NODE_SET_ACCESSOR:
        return modifiers & MODIFIER_ABSTRACT;
    default:
        return false;
    }
}

/* ---- properties ---- */

/* A field called get, set or static takes the next member for its own, once no type stands between
 * them; some readers of JavaScript think so of other words too. */
static bool would_be_modifier(const Eraser *e, const Property *property)
{
    return !property->initializer && property->name->kind == NODE_IDENTIFIER &&
           as_identifier(property->name)->name->word != TOKEN_NONE &&
           e->source->text[property->node.end - 1] != ';';
}

static void visit_property(Eraser *e, Node *member)
{
    Property *property = as_property(member);
    uint32_t from = property->name->end;

    if (modifiers_of(property->modifiers) & MODIFIER_ACCESSOR)
        refuse(e, "TN1022", (Span){member->start, property->name->end},
               "`accessor` is not available here; write a private field with a getter and a "
               "setter.");
    visit_member_name(e, property->name);
    blank_mark(e, property->question, 1);
    blank_mark(e, property->exclamation, 1);
    if (property->question)
        from = property->question + 1;
    if (property->exclamation)
        from = property->exclamation + 1;
    blank_type(e, from, property->type);
    if (would_be_modifier(e, property)) {
        uint32_t free_at = property->question      ? property->question
                           : property->exclamation ? property->exclamation
                           : property->type        ? skip_trivia(e, from)
                                                   : 0;
        if (free_at)
            put(e, free_at, ';');
    }
    visit(e, property->initializer);
}

/* ---- parameter properties ---- */

static FunctionLike *constructor_of(const ClassLike *class)
{
    for (uint32_t i = 0; i < class->members->count; i++) {
        Node *member = class->members->at[i];
        if (member->kind == NODE_CONSTRUCTOR && as_function(member)->body)
            return as_function(member);
    }
    return NULL;
}

/* One text for all parameter properties, each written as `format` says. "" if there are none. */
static const char *property_texts(Eraser *e, const FunctionLike *constructor, bool assign)
{
    const char *text = "";
    NodeList *list = constructor->parameters;
    size_t room = 1;

    for (uint32_t i = 0; i < list->count; i++)
        room += 2u * (list->at[i]->end - list->at[i]->start) + 12u;
    char *all = NULL;
    size_t length = 0;
    for (uint32_t i = 0; i < list->count; i++) {
        Parameter *one = as_parameter(list->at[i]);
        if (!(modifiers_of(one->modifiers) & MODIFIER_PARAMETER_PROPERTY) ||
            one->name->kind != NODE_IDENTIFIER)
            continue;
        if (!all)
            all = arena_push(e->arena, room);
        if (!all)
            return "";
        const Node *name = one->name;
        uint32_t width = name->end - name->start;
        const char *written = e->source->text + name->start;
        const char *head = assign ? " this." : " ";
        for (const char *c = head; *c; c++)
            all[length++] = *c;
        for (uint32_t c = 0; c < width; c++)
            all[length++] = written[c];
        for (const char *c = assign ? " = " : ""; *c; c++)
            all[length++] = *c;
        for (uint32_t c = 0; assign && c < width; c++)
            all[length++] = written[c];
        all[length++] = ';';
        text = all;
    }
    return text;
}

static bool is_super_call(const Node *statement)
{
    if (statement->kind != NODE_EXPRESSION_STATEMENT)
        return false;
    const Node *call = as_unary(statement)->expression;
    while (call->kind == NODE_PARENTHESIZED_EXPRESSION)
        call = as_unary(call)->expression;
    return call->kind == NODE_CALL_EXPRESSION &&
           as_call_expression(call)->expression->kind == NODE_SUPER;
}

/* Where the assignments go: behind the call of super(), also inside a `try`; 0 without one. */
static uint32_t after_super(const Eraser *e, const NodeList *statements)
{
    for (uint32_t i = 0; i < statements->count; i++) {
        const Node *one = statements->at[i];
        if (is_super_call(one))
            return one->end;
        if (one->kind != NODE_TRY_STATEMENT)
            continue;
        uint32_t inside = after_super(e, as_list(as_try_statement(one)->block)->list);
        if (inside)
            return inside;
    }
    return 0;
}

static uint32_t after_directives(const FunctionLike *constructor)
{
    NodeList *statements = as_list(constructor->body)->list;
    uint32_t at = constructor->body->start + 1;

    for (uint32_t i = 0; i < statements->count; i++) {
        const Node *one = statements->at[i];
        if (one->kind != NODE_EXPRESSION_STATEMENT ||
            as_unary(one)->expression->kind != NODE_STRING_LITERAL)
            break;
        at = one->end;
    }
    return at;
}

static void visit_constructor(Eraser *e, FunctionLike *constructor)
{
    const char *assignments = property_texts(e, constructor, true);

    blank_modifiers(e, constructor->modifiers, ERASED_MODIFIERS);
    if (*assignments) {
        uint32_t at = after_super(e, as_list(constructor->body)->list);
        if (!at)
            at = after_directives(constructor);
        if (e->source->text[at - 1] != ';' && e->source->text[at - 1] != '{')
            assignments = text_of(e, ";%s", assignments);
        edit_text(e, at, assignments);
        e->lowered |= LOWERED_PARAMETER_PROPERTY;
    }
    visit_function(e, constructor);
}

/* ---- members ---- */

/* A member whose modifiers were blanked may begin with `[` or `*`, or be called `in`: the field
 * before it, if it has no semicolon, would go on. */
static void keep_apart(Eraser *e, const Node *member, const Node *before)
{
    NodeList *modifiers = node_modifiers(member);

    if (!before || before->kind != NODE_PROPERTY_DECLARATION || !modifiers ||
        modifiers->count == 0 || e->source->text[before->end - 1] == ';')
        return;
    for (uint32_t i = 0; i < modifiers->count; i++) {
        const Node *one = modifiers->at[i];
        if (one->kind == NODE_DECORATOR || !(as_modifier(one)->bit & ERASED_MODIFIERS))
            return;
    }
    const char *next = e->source->text + skip_trivia(e, modifiers->at[modifiers->count - 1]->end);
    if (*next == '[' || *next == '*' || *next == '(' || (next[0] == 'i' && next[1] == 'n'))
        put(e, member->start, ';');
}

static void visit_member(Eraser *e, Node *member, const Node *before)
{
    if (member_vanishes(member)) {
        remove_statement(e, member, before);
        return;
    }
    if (member->kind == NODE_CONSTRUCTOR) {
        visit_constructor(e, as_function(member));
        return;
    }
    blank_modifiers(e, node_modifiers(member), ERASED_MODIFIERS);
    keep_apart(e, member, before);
    if (member->kind == NODE_PROPERTY_DECLARATION) {
        visit_property(e, member);
    } else if (member->kind == NODE_CLASS_STATIC_BLOCK) {
        visit(e, member);
    } else if (member->kind != NODE_SEMICOLON_CLASS_ELEMENT) {
        visit_member_name(e, as_function(member)->name);
        visit_function(e, as_function(member));
    }
}

static void visit_heritage(Eraser *e, const NodeList *clauses)
{
    for (uint32_t i = 0; clauses && i < clauses->count; i++) {
        HeritageClause *clause = as_heritage_clause(clauses->at[i]);
        if (clause->token == TOKEN_IMPLEMENTS)
            blank(e, clause->node.start, clause->node.end);
        else
            visit_each(e, clause->types);
    }
}

/* modifiers class name<type parameters> extends A implements B { members } */
Node *visit_class(Eraser *e, Node *node)
{
    ClassLike *class = as_class(node);
    FunctionLike *constructor = constructor_of(class);
    Scope scope;

    blank_modifiers(e, class->modifiers, ~(uint32_t)(MODIFIER_EXPORT | MODIFIER_DEFAULT));
    blank_list(e, class->type_parameters);
    scope_enter(e, &scope);
    if (class->name && node->kind == NODE_CLASS_EXPRESSION)
        scope_binding(e, class->name, SYMBOL_VALUE, NULL);
    visit_heritage(e, class->heritage);
    if (constructor)
        edit_text(e, class->members->start + 1, property_texts(e, constructor, false));
    for (uint32_t i = 0; i < class->members->count; i++)
        visit_member(e, class->members->at[i], i > 0 ? class->members->at[i - 1] : NULL);
    scope_leave(e, &scope);
    return NULL;
}
