/*
 * Lists, and how a text that is wrong gets right again: on a token that begins no element of the
 * list at hand, the list ends if some outer list could go on with that token; otherwise the token
 * is skipped.
 */
#include "parser.h"

/* ---- what begins an element ---- */

static bool starts_type_member(Parser *p)
{
    if (at(p) == TOKEN_OPEN_PAREN || at(p) == TOKEN_LESS || at_any(p, TOKEN_GET, TOKEN_SET))
        return true;
    if (!is_literal_name(at(p)))
        return at(p) == TOKEN_OPEN_BRACKET;

    Marker marker = look_ahead(p);
    bool named = false;
    bool starts;
    for (; is_modifier(at(p)); next(p))
        named = true;
    if (at(p) == TOKEN_OPEN_BRACKET) {
        starts = true;
    } else {
        if (is_literal_name(at(p))) {
            named = true;
            next(p);
        }
        starts = named && (at_any(p, TOKEN_OPEN_PAREN, TOKEN_LESS) ||
                           at_any(p, TOKEN_QUESTION, TOKEN_COLON) || at(p) == TOKEN_COMMA ||
                           can_end_statement(p));
    }
    go_back(p, marker);
    return starts;
}

static bool starts_object_binding(const Parser *p)
{
    return at_any(p, TOKEN_OPEN_BRACKET, TOKEN_DOT_DOT_DOT) || is_literal_name(at(p));
}

static bool starts_binding(const Parser *p)
{
    return at_any(p, TOKEN_OPEN_BRACE, TOKEN_OPEN_BRACKET) || at(p) == TOKEN_PRIVATE_IDENTIFIER ||
           is_binding_name(at(p));
}

/* `extends` or `implements` as the word it is, not as a name: an expression follows. */
static bool is_heritage_word(Parser *p)
{
    if (!at_any(p, TOKEN_IMPLEMENTS, TOKEN_EXTENDS))
        return false;
    Marker marker = look_ahead(p);
    next(p);
    bool starts = starts_expression(p);
    go_back(p, marker);
    return starts;
}

/* `class C extends {} {`: a brace begins an object if the class's own brace comes after it. */
static bool is_object_in_heritage(Parser *p)
{
    Marker marker = look_ahead(p);
    bool is_object = true;

    next(p);
    if (take(p, TOKEN_CLOSE_BRACE))
        is_object =
            at_any(p, TOKEN_COMMA, TOKEN_OPEN_BRACE) || at_any(p, TOKEN_EXTENDS, TOKEN_IMPLEMENTS);
    go_back(p, marker);
    return is_object;
}

static bool starts_heritage_type(Parser *p, bool recovering)
{
    if (at(p) == TOKEN_OPEN_BRACE)
        return is_object_in_heritage(p);
    if (recovering)
        return is_name(p, at(p)) && !is_heritage_word(p);
    return starts_left_side(p) && !is_heritage_word(p);
}

static bool starts_object_member(const Parser *p)
{
    switch (at(p)) {
    case TOKEN_OPEN_BRACKET:
    case TOKEN_ASTERISK:
    case TOKEN_DOT_DOT_DOT:
    case TOKEN_DOT:
        return true;
    default:
        return is_literal_name(at(p));
    }
}

static bool starts_specifier(Parser *p)
{
    if (at(p) == TOKEN_FROM && peek(p) == TOKEN_STRING_LITERAL)
        return false;
    return at(p) == TOKEN_STRING_LITERAL || is_word(at(p));
}

/* The lists of which a plain name begins an element, whatever follows. */
enum {
    LISTS_OF_NAMES = 1u << LIST_FILE | 1u << LIST_BLOCK | 1u << LIST_CLAUSE_STATEMENTS |
                     1u << LIST_VARIABLES | 1u << LIST_OBJECT_BINDING | 1u << LIST_ARRAY_BINDING |
                     1u << LIST_ARGUMENTS | 1u << LIST_OBJECT_MEMBERS | 1u << LIST_ARRAY_MEMBERS |
                     1u << LIST_PARAMETERS | 1u << LIST_TYPE_ARGUMENTS | 1u << LIST_SPECIFIERS,
};

bool is_list_element(Parser *p, ListKind kind, bool recovering)
{
    if (at(p) == TOKEN_IDENTIFIER && (LISTS_OF_NAMES & 1u << kind))
        return true;
    switch (kind) {
    case LIST_FILE:
    case LIST_BLOCK:
    case LIST_CLAUSE_STATEMENTS:
        return !(recovering && at(p) == TOKEN_SEMICOLON) && starts_statement(p);
    case LIST_CLAUSES:
        return at_any(p, TOKEN_CASE, TOKEN_DEFAULT);
    case LIST_TYPE_MEMBERS:
        return starts_type_member(p);
    case LIST_CLASS_MEMBERS:
        return starts_class_member(p) || (at(p) == TOKEN_SEMICOLON && !recovering);
    case LIST_ENUM_MEMBERS:
        return at(p) == TOKEN_OPEN_BRACKET || is_literal_name(at(p));
    case LIST_HERITAGE_TYPES:
        return starts_heritage_type(p, recovering);
    case LIST_VARIABLES:
        return starts_binding(p);
    case LIST_OBJECT_BINDING:
        return starts_object_binding(p);
    case LIST_ARRAY_BINDING:
        return at_any(p, TOKEN_COMMA, TOKEN_DOT_DOT_DOT) || starts_binding(p);
    case LIST_ARRAY_MEMBERS:
        if (at_any(p, TOKEN_COMMA, TOKEN_DOT))
            return true;
        return at(p) == TOKEN_DOT_DOT_DOT || starts_expression(p);
    case LIST_ARGUMENTS:
        return at(p) == TOKEN_DOT_DOT_DOT || starts_expression(p);
    case LIST_OBJECT_MEMBERS:
        return starts_object_member(p);
    case LIST_PARAMETERS:
        return starts_parameter(p);
    case LIST_COMMENT_PARAMETERS:
        return starts_parameter(p) || starts_type(p, false);
    case LIST_TYPE_PARAMETERS:
        return at_any(p, TOKEN_IN, TOKEN_CONST) || is_name(p, at(p));
    case LIST_TYPE_ARGUMENTS:
    case LIST_TUPLE:
        return at(p) == TOKEN_COMMA || starts_type(p, false);
    case LIST_HERITAGE:
        return at_any(p, TOKEN_EXTENDS, TOKEN_IMPLEMENTS);
    case LIST_SPECIFIERS:
        return starts_specifier(p);
    case LIST_ATTRIBUTES:
        return at(p) == TOKEN_STRING_LITERAL || is_word(at(p));
    default:
        return false;
    }
}

/* ---- what ends a list ---- */

bool is_list_end(Parser *p, ListKind kind)
{
    Token token = at(p);

    if (token == TOKEN_END)
        return true;
    switch (kind) {
    case LIST_BLOCK:
    case LIST_CLAUSES:
    case LIST_TYPE_MEMBERS:
    case LIST_CLASS_MEMBERS:
    case LIST_ENUM_MEMBERS:
    case LIST_OBJECT_MEMBERS:
    case LIST_OBJECT_BINDING:
    case LIST_SPECIFIERS:
    case LIST_ATTRIBUTES:
        return token == TOKEN_CLOSE_BRACE;
    case LIST_CLAUSE_STATEMENTS:
        return token == TOKEN_CLOSE_BRACE || token == TOKEN_CASE || token == TOKEN_DEFAULT;
    case LIST_HERITAGE_TYPES:
        return token == TOKEN_OPEN_BRACE || token == TOKEN_EXTENDS || token == TOKEN_IMPLEMENTS;
    case LIST_VARIABLES:
        return can_end_statement(p) || token == TOKEN_IN || token == TOKEN_OF ||
               token == TOKEN_ARROW;
    case LIST_TYPE_PARAMETERS:
        return token == TOKEN_GREATER || token == TOKEN_OPEN_PAREN || token == TOKEN_OPEN_BRACE ||
               token == TOKEN_EXTENDS || token == TOKEN_IMPLEMENTS;
    case LIST_ARGUMENTS:
        return token == TOKEN_CLOSE_PAREN || token == TOKEN_SEMICOLON;
    case LIST_ARRAY_MEMBERS:
    case LIST_TUPLE:
    case LIST_ARRAY_BINDING:
        return token == TOKEN_CLOSE_BRACKET;
    case LIST_PARAMETERS:
    case LIST_COMMENT_PARAMETERS:
        return token == TOKEN_CLOSE_PAREN || token == TOKEN_CLOSE_BRACKET;
    case LIST_TYPE_ARGUMENTS:
        return token != TOKEN_COMMA;
    case LIST_HERITAGE:
        return token == TOKEN_OPEN_BRACE || token == TOKEN_CLOSE_BRACE;
    default:
        return false;
    }
}

/* ---- recovery ---- */

static void wrong_element(Parser *p, ListKind kind)
{
    static const uint16_t codes[LIST_COUNT] = {
        [LIST_FILE] = 1128,
        [LIST_BLOCK] = 1128,
        [LIST_CLAUSES] = 1130,
        [LIST_CLAUSE_STATEMENTS] = 1129,
        [LIST_TYPE_MEMBERS] = 1131,
        [LIST_CLASS_MEMBERS] = 1068,
        [LIST_ENUM_MEMBERS] = 1132,
        [LIST_HERITAGE_TYPES] = 1109,
        [LIST_VARIABLES] = 1134,
        [LIST_OBJECT_BINDING] = 1180,
        [LIST_ARRAY_BINDING] = 1181,
        [LIST_ARGUMENTS] = 1135,
        [LIST_OBJECT_MEMBERS] = 1136,
        [LIST_ARRAY_MEMBERS] = 1137,
        [LIST_PARAMETERS] = 1138,
        [LIST_COMMENT_PARAMETERS] = 1138,
        [LIST_TYPE_PARAMETERS] = 1139,
        [LIST_TYPE_ARGUMENTS] = 1140,
        [LIST_TUPLE] = 1110,
        [LIST_HERITAGE] = 1179,
        [LIST_SPECIFIERS] = 1003,
        [LIST_ATTRIBUTES] = 1478,
    };

    if (kind == LIST_FILE && at(p) == TOKEN_DEFAULT)
        wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_EXPORT);
    else if (kind == LIST_SPECIFIERS && at(p) == TOKEN_FROM)
        wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_CLOSE_BRACE);
    else if (kind == LIST_VARIABLES && is_keyword(at(p)))
        wrong(p, 1389);
    else if (kind == LIST_PARAMETERS && is_keyword(at(p)))
        wrong(p, 1390);
    else
        wrong(p, codes[kind]);
}

/* Complain about a token that fits nowhere in this list. False if the list is to end here. */
static bool skip_wrong_token(Parser *p, ListKind kind)
{
    wrong_element(p, kind);
    for (uint32_t outer = 0; outer < LIST_COUNT; outer++) {
        if ((p->lists & 1u << outer) &&
            (is_list_element(p, (ListKind)outer, true) || is_list_end(p, (ListKind)outer)))
            return false;
    }
    next(p);
    return true;
}

/* ---- the lists ---- */

NodeList *read_list(Parser *p, ListKind kind, ReadElement read)
{
    uint32_t lists = p->lists;
    uint32_t begin = list_begin(p);
    uint32_t start = p->scan.start;

    p->lists |= 1u << kind;
    while (!is_list_end(p, kind)) {
        if (is_list_element(p, kind, false))
            list_add(p, read(p));
        else if (!skip_wrong_token(p, kind))
            break;
    }
    p->lists = lists;
    return list_end(p, begin, start);
}

/* After an element: true if the list goes on. */
static bool separate(Parser *p, ListKind kind, ListOption option, uint32_t before, Mark *out_comma)
{
    *out_comma = take_mark(p, TOKEN_COMMA);
    if (*out_comma)
        return true;
    if (is_list_end(p, kind))
        return false;
    (void)expect_or(p, TOKEN_COMMA, kind == LIST_ENUM_MEMBERS ? 1357 : 0);
    if (option == LIST_SEMICOLONS && at(p) == TOKEN_SEMICOLON && !after_line_break(p))
        next(p);
    if (p->scan.full_start == before) /* an element of nothing: go on all the same */
        next(p);
    return true;
}

NodeList *read_separated(Parser *p, ListKind kind, ReadElement read, ListOption option)
{
    uint32_t lists = p->lists;
    uint32_t begin = list_begin(p);
    uint32_t start = p->scan.start;
    Mark comma = 0;

    p->lists |= 1u << kind;
    for (;;) {
        if (is_list_element(p, kind, false)) {
            uint32_t before = p->scan.full_start;
            Node *element = read(p);
            if (!element) {
                p->lists = lists;
                p->stack_count = begin;
                return NULL;
            }
            list_add(p, element);
            if (!separate(p, kind, option, before, &comma))
                break;
        } else if (is_list_end(p, kind) || !skip_wrong_token(p, kind)) {
            break;
        }
    }
    p->lists = lists;
    NodeList *list = list_end(p, begin, start);
    list->trailing = comma;
    return list;
}

NodeList *read_bracketed(Parser *p, ListKind kind, ReadElement read, Token open, Token close)
{
    uint32_t start = p->scan.start;

    if (!expect(p, open))
        return missing_list(p);
    NodeList *list = read_separated(p, kind, read, LIST_PLAIN);
    (void)expect(p, close);
    if (!list) /* only readers that may give up give NULL, and none of them is read in brackets */
        return missing_list(p);
    list->start = start;
    list->end = p->scan.full_start;
    return list;
}
