/* Classes and their members. */
#include "parser.h"

/* ---- heritage ---- */

/* expression-with-type-arguments = left-side type-arguments? */
static Node *heritage_type(Parser *p)
{
    Place place = here(p);
    Node *expression = read_left_side(p);

    if (expression->kind == NODE_EXPRESSION_WITH_TYPE_ARGUMENTS)
        return expression;
    NodeList *type_arguments = read_type_arguments(p);
    TypeReference *node = NEW(p, EXPRESSION_WITH_TYPE_ARGUMENTS, place);
    node->name = expression;
    node->type_arguments = type_arguments;
    return &node->node;
}

/* heritage-clause = ("extends" | "implements") expression-with-type-arguments,+ */
static Node *heritage_clause(Parser *p)
{
    Place place = here(p);
    Token token = at(p);

    next(p);
    NodeList *types = read_separated(p, LIST_HERITAGE_TYPES, heritage_type, LIST_PLAIN);
    HeritageClause *clause = NEW(p, HERITAGE_CLAUSE, place);
    clause->token = token;
    clause->types = types;
    return &clause->node;
}

NodeList *read_heritage(Parser *p)
{
    if (!at_any(p, TOKEN_EXTENDS, TOKEN_IMPLEMENTS))
        return NULL;
    return read_list(p, LIST_HERITAGE, heritage_clause);
}

/* ---- members ---- */

bool starts_class_member(Parser *p)
{
    if (at_any(p, TOKEN_AT, TOKEN_ASTERISK) || at(p) == TOKEN_OPEN_BRACKET ||
        is_class_modifier(at(p)))
        return true;
    if (!is_literal_name(at(p)))
        return false;

    Marker marker = look_ahead(p);
    Token name = TOKEN_NONE;
    bool starts = false;
    for (; is_modifier(at(p)) && !starts; next(p)) {
        name = at(p);
        starts = is_class_modifier(name);
    }
    if (!starts && at(p) != TOKEN_ASTERISK) {
        if (is_literal_name(at(p))) {
            name = at(p);
            next(p);
        }
        if (at(p) == TOKEN_OPEN_BRACKET || !is_keyword(name) || name == TOKEN_SET ||
            name == TOKEN_GET)
            starts = true;
        else
            starts = at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS) ||
                     at_any(p, TOKEN_EXCLAMATION, TOKEN_COLON) ||
                     at_any(p, TOKEN_EQUALS, TOKEN_QUESTION) || can_end_statement(p);
    } else {
        starts = true;
    }
    go_back(p, marker);
    return starts;
}

/* What may stand behind a property instead of the line's end, to be understood as a mistake. */
static void end_property(Parser *p, const Property *property)
{
    if (at(p) == TOKEN_AT && !after_line_break(p)) {
        wrong(p, 1436);
    } else if (at(p) == TOKEN_OPEN_PAREN) {
        wrong(p, 1441);
        next(p);
    } else if (property->type && !can_end_statement(p)) {
        if (property->initializer)
            wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_SEMICOLON);
        else
            wrong(p, 1442);
    } else if (take_semicolon(p)) {
        return;
    } else if (property->initializer) {
        wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_SEMICOLON);
    } else {
        wrong_missing_semicolon(p, property->name);
    }
}

/* property = name ("?" | "!")? (":" type)? ("=" expression)? ";" */
static Node *property(Parser *p, Place place, Property start)
{
    uint32_t context = p->context;

    if (!start.question && !after_line_break(p))
        start.exclamation = take_mark(p, TOKEN_EXCLAMATION);
    start.type = read_type_annotation(p);
    p->context &= ~(uint32_t)(CONTEXT_YIELD | CONTEXT_AWAIT | CONTEXT_NO_IN);
    start.initializer = read_initializer(p);
    p->context = context;
    end_property(p, &start);
    Property *node = NEW(p, PROPERTY_DECLARATION, place);
    start.node = node->node;
    *node = start;
    return &node->node;
}

static Node *property_or_method(Parser *p, Place place, NodeList *modifiers)
{
    Mark asterisk = take_mark(p, TOKEN_ASTERISK);
    Node *name = read_property_name(p);
    Mark question = take_mark(p, TOKEN_QUESTION);

    if (asterisk || at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS)) {
        FunctionLike start = {
            .modifiers = modifiers, .name = name, .asterisk = asterisk, .question = question};
        return &read_method(p, place, start, 1144)->node;
    }
    return property(p, place,
                    (Property){.modifiers = modifiers, .name = name, .question = question});
}

/* `constructor`, also written as a string */
static bool is_constructor(Parser *p)
{
    if (at(p) == TOKEN_CONSTRUCTOR)
        return true;
    if (at(p) != TOKEN_STRING_LITERAL || peek(p) != TOKEN_OPEN_PAREN)
        return false;
    const Scanner *s = &p->scan;
    return scanner_cook(s, p->names, p->arena, s->start + 1, s->at - 1, false)->word ==
           TOKEN_CONSTRUCTOR;
}

/* constructor = "constructor" type-parameters? parameters (":" type)? (block | ";") */
static Node *constructor(Parser *p, Place place, NodeList *modifiers)
{
    FunctionLike start = {.modifiers = modifiers};

    next(p);
    start.type_parameters = read_type_parameters(p);
    start.parameters = read_parameters(p, 0);
    start.type = read_return_type(p, TOKEN_COLON, false);
    start.body = read_function_block_or_semicolon(p, 0, 1144);
    FunctionLike *node = NEW(p, CONSTRUCTOR, place);
    start.node = node->node;
    *node = start;
    return &node->node;
}

/* static-block = "static" block */
static Node *static_block(Parser *p, Place place, NodeList *modifiers)
{
    uint32_t context = p->context;

    next(p);
    p->context = (p->context & ~(uint32_t)CONTEXT_YIELD) | CONTEXT_AWAIT;
    Node *body = read_block(p, false, 0);
    p->context = context;
    FunctionLike *node = NEW(p, CLASS_STATIC_BLOCK, place);
    node->modifiers = modifiers;
    node->body = body;
    return &node->node;
}

static bool starts_named_member(const Parser *p)
{
    return is_literal_name(at(p)) || at_any(p, TOKEN_ASTERISK, TOKEN_OPEN_BRACKET);
}

static Node *class_member(Parser *p)
{
    Place place = here(p);

    if (take(p, TOKEN_SEMICOLON))
        return new_plain(p, NODE_SEMICOLON_CLASS_ELEMENT, place);
    NodeList *modifiers = read_modifiers(p, true, true, true);
    if (at(p) == TOKEN_STATIC && peek(p) == TOKEN_OPEN_BRACE)
        return static_block(p, place, modifiers);
    if (take_modifier(p, TOKEN_GET))
        return read_accessor(p, place, modifiers, NODE_GET_ACCESSOR, 0);
    if (take_modifier(p, TOKEN_SET))
        return read_accessor(p, place, modifiers, NODE_SET_ACCESSOR, 0);
    if (is_constructor(p))
        return constructor(p, place, modifiers);
    if (is_index_signature(p))
        return read_index_signature(p, place, modifiers);
    if (starts_named_member(p)) {
        uint32_t context = p->context;
        if (modifiers_of(modifiers) & MODIFIER_DECLARE)
            p->context |= CONTEXT_AMBIENT;
        Node *member = property_or_method(p, place, modifiers);
        p->context = context;
        return member;
    }
    /* Modifiers, and nothing that they modify. */
    wrong_at(p, 1146, p->scan.full_start, p->scan.full_start);
    Node *name = missing_name(p);
    return property(p, place, (Property){.modifiers = modifiers, .name = name});
}

/* ---- classes ---- */

/* `class implements I`: there the word is no name. */
static bool names_class(Parser *p)
{
    return is_binding_name(at(p)) && !(at(p) == TOKEN_IMPLEMENTS && is_word(peek(p)));
}

static void class_inside(Parser *p, ClassLike *out)
{
    uint32_t context = p->context;

    (void)expect(p, TOKEN_CLASS);
    if (names_class(p))
        out->name = read_binding_name(p, 0);
    out->type_parameters = read_type_parameters(p);
    if (modifiers_of(out->modifiers) & MODIFIER_EXPORT)
        p->context |= CONTEXT_AWAIT;
    out->heritage = read_heritage(p);
    uint32_t start = p->scan.start;
    if (expect(p, TOKEN_OPEN_BRACE)) {
        out->members = read_list(p, LIST_CLASS_MEMBERS, class_member);
        (void)expect(p, TOKEN_CLOSE_BRACE);
        out->members->start = start;
        out->members->end = p->scan.full_start;
    } else {
        out->members = missing_list(p);
    }
    p->context = (p->context & ~(uint32_t)CONTEXT_AWAIT) | (context & CONTEXT_AWAIT);
}

/* class = modifiers "class" name? type-parameters? heritage-clause* "{" member* "}" */
Node *read_class(Parser *p, Place place, NodeList *modifiers, NodeKind kind)
{
    ClassLike start = {.modifiers = modifiers};

    if (enter(p))
        class_inside(p, &start);
    else
        start.members = missing_list(p);
    leave(p);
    ClassLike *node = as_class(node_new(p, kind, sizeof(ClassLike), place));
    start.node = node->node;
    *node = start;
    return &node->node;
}
