/* Types with an inside of their own kind: imports, templates, tuples. */
#include "parser.h"

/* import-type = "typeof"? "import" "(" type ("," "{" "with" ":" attributes "}")? ")"
 *               ("." entity-name)? type-arguments? */
Node *read_import_type(Parser *p)
{
    Place place = here(p);
    Mark is_typeof = take_mark(p, TOKEN_TYPEOF);
    Node *attributes = NULL;

    (void)expect(p, TOKEN_IMPORT);
    (void)expect(p, TOKEN_OPEN_PAREN);
    Node *argument = read_type(p);
    if (take(p, TOKEN_COMMA)) {
        (void)expect(p, TOKEN_OPEN_BRACE);
        Token word = at(p);
        if (word == TOKEN_WITH || word == TOKEN_ASSERT)
            next(p);
        else
            wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_WITH);
        (void)expect(p, TOKEN_COLON);
        attributes = read_import_attributes(p, word, true);
        (void)take(p, TOKEN_COMMA);
        (void)expect(p, TOKEN_CLOSE_BRACE);
    }
    (void)expect(p, TOKEN_CLOSE_PAREN);
    Node *qualifier = take(p, TOKEN_DOT) ? read_entity_name(p, true, 1110) : NULL;
    NodeList *arguments = read_type_arguments_of_reference(p);

    ImportType *type = NEW(p, IMPORT_TYPE, place);
    type->is_typeof = is_typeof;
    type->argument = argument;
    type->attributes = attributes;
    type->qualifier = qualifier;
    type->type_arguments = arguments;
    return &type->node;
}

static Node *template_type_span(Parser *p)
{
    Place place = here(p);
    Node *type = read_type(p);
    Node *literal = read_template_piece(p, false);
    TemplateSpan *span = NEW(p, TEMPLATE_LITERAL_TYPE_SPAN, place);
    span->expression = type;
    span->literal = literal;
    return &span->node;
}

/* template-type = "`...${" type "}...`" */
Node *read_template_type(Parser *p)
{
    Place place = here(p);

    if (p->scan.flags & SCAN_INVALID)
        scanner_template(&p->scan, false);
    Node *head = read_literal(p);
    uint32_t begin = list_begin(p);
    uint32_t start = p->scan.start;
    Node *span;
    do {
        span = template_type_span(p);
        list_add(p, span);
    } while (as_template_span(span)->literal->kind == NODE_TEMPLATE_MIDDLE);
    NodeList *spans = list_end(p, begin, start);
    Template *type = NEW(p, TEMPLATE_LITERAL_TYPE, place);
    type->head = head;
    type->spans = spans;
    return &type->node;
}

/* ---- brackets ---- */

/* `name:`, `name?:`, also behind `...` */
static bool is_tuple_name(Parser *p)
{
    bool rest = at(p) == TOKEN_DOT_DOT_DOT;
    if (!rest && !is_word(at(p)))
        return false;
    Marker marker = look_ahead(p);
    if (rest)
        next(p);
    bool named = is_word(at(p));
    next(p);
    (void)take(p, TOKEN_QUESTION);
    named = named && at(p) == TOKEN_COLON;
    go_back(p, marker);
    return named;
}

/* tuple-type-element = "..." type | type "?"? */
static Node *tuple_type(Parser *p)
{
    Place place = here(p);

    if (take(p, TOKEN_DOT_DOT_DOT)) {
        Node *rest = read_type(p);
        return new_unary(p, NODE_REST_TYPE, place, rest);
    }
    Node *type = read_type(p);
    /* `T?` was read as the type that only comments may use. */
    if (type->kind == NODE_COMMENT_TYPE) {
        Unary *comment = as_unary(type);
        if (comment->expression && comment->expression->full_start == type->full_start &&
            p->scan.text[comment->mark] == '?')
            type->kind = NODE_OPTIONAL_TYPE;
    }
    return type;
}

/* tuple-element = "..."? name "?"? ":" tuple-type-element | tuple-type-element */
static Node *tuple_element(Parser *p)
{
    if (!is_tuple_name(p))
        return tuple_type(p);
    Place place = here(p);
    Mark rest = take_mark(p, TOKEN_DOT_DOT_DOT);
    Node *name = read_any_word(p, 0);
    Mark question = take_mark(p, TOKEN_QUESTION);
    (void)expect(p, TOKEN_COLON);
    Node *type = tuple_type(p);
    NamedTupleMember *member = NEW(p, NAMED_TUPLE_MEMBER, place);
    member->rest = rest;
    member->name = name;
    member->question = question;
    member->type = type;
    return &member->node;
}

Node *read_tuple_type(Parser *p)
{
    Place place = here(p);
    NodeList *list =
        read_bracketed(p, LIST_TUPLE, tuple_element, TOKEN_OPEN_BRACKET, TOKEN_CLOSE_BRACKET);
    return new_list(p, NODE_TUPLE_TYPE, place, list);
}
