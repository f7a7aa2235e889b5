/* What stands in the braces of types: members, and mapped types; and type parameters. */
#include "parser.h"

/* type-parameter = modifiers name ("extends" type)? ("=" type)? */
static Node *type_parameter(Parser *p)
{
    Place place = here(p);
    NodeList *modifiers = read_modifiers(p, false, true, false);
    Node *name = read_name(p, 0);
    Node *constraint = NULL;

    if (take(p, TOKEN_EXTENDS))
        constraint = starts_type(p, false) || !starts_expression(p) ? read_type(p) : read_unary(p);
    Node *default_type = take(p, TOKEN_EQUALS) ? read_type(p) : NULL;
    TypeParameter *parameter = NEW(p, TYPE_PARAMETER, place);
    parameter->modifiers = modifiers;
    parameter->name = name;
    parameter->constraint = constraint;
    parameter->default_type = default_type;
    return &parameter->node;
}

NodeList *read_type_parameters(Parser *p)
{
    if (at(p) != TOKEN_LESS)
        return NULL;
    return read_bracketed(p, LIST_TYPE_PARAMETERS, type_parameter, TOKEN_LESS, TOKEN_GREATER);
}

void end_type_member(Parser *p)
{
    if (!take(p, TOKEN_COMMA))
        expect_semicolon(p);
}

/* ---- index signatures ---- */

/* `[name: ...`, and what can only be a mistaken one, but not `[name]: ...`. */
bool is_index_signature(Parser *p)
{
    if (at(p) != TOKEN_OPEN_BRACKET)
        return false;
    Marker marker = look_ahead(p);
    bool certain = false;
    bool named = true;

    next(p);
    if (at_any(p, TOKEN_DOT_DOT_DOT, TOKEN_CLOSE_BRACKET)) {
        certain = true;
    } else if (is_modifier(at(p))) {
        next(p);
        certain = is_name(p, at(p));
    } else if (is_name(p, at(p))) {
        next(p);
    } else {
        named = false;
    }
    if (!certain && named) {
        if (at_any(p, TOKEN_COLON, TOKEN_COMMA)) {
            certain = true;
        } else if (take(p, TOKEN_QUESTION)) {
            certain = at_any(p, TOKEN_COLON, TOKEN_COMMA) || at(p) == TOKEN_CLOSE_BRACKET;
        }
    }
    go_back(p, marker);
    return certain;
}

/* index-signature = modifiers "[" parameters "]" (":" type)? ";" */
Node *read_index_signature(Parser *p, Place place, NodeList *modifiers)
{
    uint32_t start = p->scan.start;

    next(p);
    NodeList *parameters = read_parameters_inside(p, FUNCTION_INDEX, true);
    (void)expect(p, TOKEN_CLOSE_BRACKET);
    parameters->start = start;
    parameters->end = p->scan.full_start;
    Node *type = read_type_annotation(p);
    end_type_member(p);
    FunctionLike *signature = NEW(p, INDEX_SIGNATURE, place);
    signature->modifiers = modifiers;
    signature->parameters = parameters;
    signature->type = type;
    return &signature->node;
}

/* ---- members ---- */

/* call-signature = "new"? type-parameters? parameters (":" type)? ";" */
static Node *call_signature(Parser *p)
{
    Place place = here(p);
    bool constructs = take(p, TOKEN_NEW);
    NodeList *type_parameters = read_type_parameters(p);
    NodeList *parameters = read_parameters(p, FUNCTION_TYPE);
    Node *type = read_return_type(p, TOKEN_COLON, true);
    end_type_member(p);
    FunctionLike *signature =
        as_function(node_new(p, constructs ? NODE_CONSTRUCT_SIGNATURE : NODE_CALL_SIGNATURE,
                             sizeof(FunctionLike), place));
    signature->type_parameters = type_parameters;
    signature->parameters = parameters;
    signature->type = type;
    return &signature->node;
}

static Node *method_signature(Parser *p, Place place, NodeList *modifiers, Node *name,
                              Mark question)
{
    NodeList *type_parameters = read_type_parameters(p);
    NodeList *parameters = read_parameters(p, FUNCTION_TYPE);
    Node *type = read_return_type(p, TOKEN_COLON, true);
    end_type_member(p);
    FunctionLike *method = NEW(p, METHOD_SIGNATURE, place);
    method->modifiers = modifiers;
    method->name = name;
    method->question = question;
    method->type_parameters = type_parameters;
    method->parameters = parameters;
    method->type = type;
    return &method->node;
}

/* property-or-method = name "?"? (type-parameters? parameters (":" type)? | (":" type)?) ";" */
static Node *property_or_method(Parser *p, Place place, NodeList *modifiers)
{
    Node *name = read_property_name(p);
    Mark question = take_mark(p, TOKEN_QUESTION);

    if (at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS))
        return method_signature(p, place, modifiers, name, question);
    Node *type = read_type_annotation(p);
    Node *initializer = read_initializer(p);
    end_type_member(p);
    Property *property = NEW(p, PROPERTY_SIGNATURE, place);
    property->modifiers = modifiers;
    property->name = name;
    property->question = question;
    property->type = type;
    property->initializer = initializer;
    return &property->node;
}

Node *read_type_member(Parser *p)
{
    Place place = here(p);

    if (at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS))
        return call_signature(p);
    if (at(p) == TOKEN_NEW) {
        Token token = peek(p);
        if (token == TOKEN_OPEN_PAREN || token == TOKEN_LESS)
            return call_signature(p);
    }
    NodeList *modifiers = read_modifiers(p, false, false, false);
    if (take_modifier(p, TOKEN_GET))
        return read_accessor(p, place, modifiers, NODE_GET_ACCESSOR, FUNCTION_TYPE);
    if (take_modifier(p, TOKEN_SET))
        return read_accessor(p, place, modifiers, NODE_SET_ACCESSOR, FUNCTION_TYPE);
    if (is_index_signature(p))
        return read_index_signature(p, place, modifiers);
    return property_or_method(p, place, modifiers);
}

/* type-members = "{" member* "}" */
NodeList *read_type_members(Parser *p)
{
    uint32_t start = p->scan.start;

    if (!expect(p, TOKEN_OPEN_BRACE))
        return missing_list(p);
    NodeList *members = read_list(p, LIST_TYPE_MEMBERS, read_type_member);
    (void)expect(p, TOKEN_CLOSE_BRACE);
    members->start = start;
    members->end = p->scan.full_start;
    return members;
}

/* ---- mapped types ---- */

/* `{ readonly [name in`, `{ +readonly` */
static bool is_mapped_type(Parser *p)
{
    Marker marker = look_ahead(p);
    bool mapped = false;

    next(p);
    if (at_any(p, TOKEN_PLUS, TOKEN_MINUS)) {
        mapped = peek(p) == TOKEN_READONLY;
    } else {
        (void)take(p, TOKEN_READONLY);
        if (take(p, TOKEN_OPEN_BRACKET) && is_name(p, at(p)))
            mapped = peek(p) == TOKEN_IN;
    }
    go_back(p, marker);
    return mapped;
}

/* A modifier of a mapped type: the word, or a sign and the word. Returns the first token. */
static Token mapped_modifier(Parser *p, Token word)
{
    Token first = at(p);

    if (first != word && first != TOKEN_PLUS && first != TOKEN_MINUS)
        return TOKEN_NONE;
    next(p);
    if (first != word)
        (void)expect(p, word);
    return first;
}

/* mapped-type = "{" ([+-]? "readonly")? "[" name "in" type ("as" type)? "]" ([+-]? "?")?
 *               (":" type)? ";"? member* "}" */
static Node *mapped_type(Parser *p)
{
    Place place = here(p);

    next(p);
    Token readonly_token = mapped_modifier(p, TOKEN_READONLY);
    (void)expect(p, TOKEN_OPEN_BRACKET);
    Place inner = here(p);
    Node *name = read_any_word(p, 0);
    (void)expect(p, TOKEN_IN);
    Node *constraint = read_type(p);
    TypeParameter *parameter = NEW(p, TYPE_PARAMETER, inner);
    parameter->name = name;
    parameter->constraint = constraint;
    Node *name_type = take(p, TOKEN_AS) ? read_type(p) : NULL;
    (void)expect(p, TOKEN_CLOSE_BRACKET);
    Token question_token = mapped_modifier(p, TOKEN_QUESTION);
    Node *type = read_type_annotation(p);
    expect_semicolon(p);
    NodeList *members = read_list(p, LIST_TYPE_MEMBERS, read_type_member);
    (void)expect(p, TOKEN_CLOSE_BRACE);

    MappedType *mapped = NEW(p, MAPPED_TYPE, place);
    mapped->readonly_token = readonly_token;
    mapped->parameter = &parameter->node;
    mapped->name_type = name_type;
    mapped->question_token = question_token;
    mapped->type = type;
    mapped->members = members->count > 0 ? members : NULL;
    return &mapped->node;
}

Node *read_type_literal_or_mapped(Parser *p)
{
    if (is_mapped_type(p))
        return mapped_type(p);
    Place place = here(p);
    NodeList *members = read_type_members(p);
    return new_list(p, NODE_TYPE_LITERAL, place, members);
}
