/* Names, literals, and what to say when a statement goes on where it should have ended. */
#include <string.h>

#include "parser.h"
#include "words.h"

/* ---- names ---- */

static Name *name_here(Parser *p)
{
    const Scanner *s = &p->scan;

    if (s->flags & SCAN_ESCAPED)
        return scanner_cook(s, p->names, p->arena, s->start, s->at, false);
    return names_get_word(p->names, (const char *)s->text + s->start, s->at - s->start,
                          is_keyword(at(p)) ? s->token : TOKEN_NONE);
}

static Node *take_name(Parser *p, NodeKind kind)
{
    Place place = here(p);
    uint16_t escaped = p->scan.flags & SCAN_ESCAPED ? NODE_FLAG_ESCAPED : 0;
    Name *name = name_here(p);

    if (name->word == TOKEN_AWAIT && p->functions == 0)
        p->maybe_await = true;
    if (kind == NODE_PRIVATE_IDENTIFIER)
        next(p);
    else
        next_name(p);
    Identifier *node = as_identifier(node_new(p, kind, sizeof(Identifier), place));
    node->name = name;
    node->node.flags |= escaped;
    return &node->node;
}

static Node *name_or_missing(Parser *p, bool fits, unsigned code, unsigned private_code)
{
    if (fits)
        return take_name(p, NODE_IDENTIFIER);
    if (at(p) == TOKEN_PRIVATE_IDENTIFIER) {
        wrong(p, private_code ? private_code : 18016);
        return take_name(p, NODE_IDENTIFIER);
    }
    if (code == 0)
        code = at(p) >= TOKEN_FIRST_RESERVED && at(p) <= TOKEN_LAST_RESERVED ? 1359 : 1003;
    if (at(p) == TOKEN_END)
        wrong_at(p, code, p->scan.full_start, p->scan.full_start);
    else
        wrong(p, code);
    return missing_name(p);
}

Node *read_name(Parser *p, unsigned code)
{
    return name_or_missing(p, is_name(p, at(p)), code, 0);
}

Node *read_binding_name(Parser *p, unsigned private_code)
{
    return name_or_missing(p, is_binding_name(at(p)), 0, private_code);
}

Node *read_any_word(Parser *p, unsigned code)
{
    return name_or_missing(p, is_word(at(p)), code, 0);
}

Node *read_private_name(Parser *p)
{
    return take_name(p, NODE_PRIVATE_IDENTIFIER);
}

/* property-name = word | #name | string | number | "[" expression "]" */
Node *read_property_name(Parser *p)
{
    switch (at(p)) {
    case TOKEN_STRING_LITERAL:
    case TOKEN_NUMERIC:
    case TOKEN_BIGINT_LITERAL:
        return read_literal(p);
    case TOKEN_PRIVATE_IDENTIFIER:
        return read_private_name(p);
    case TOKEN_OPEN_BRACKET: {
        Place place = here(p);
        next(p);
        Node *expression = read_expression_with_in(p);
        (void)expect(p, TOKEN_CLOSE_BRACKET);
        return new_unary(p, NODE_COMPUTED_PROPERTY_NAME, place, expression);
    }
    default:
        return read_any_word(p, 0);
    }
}

static Node *missing_after_dot(Parser *p)
{
    wrong_at(p, 1003, p->scan.full_start, p->scan.full_start);
    return missing_name(p);
}

/* A dot at the end of a line is more likely unfinished than joined to the next line's statement. */
Node *read_right_of_dot(Parser *p, bool any_word, bool private_allowed)
{
    if (after_line_break(p) && is_word(at(p))) {
        bool line_break;
        Token token = peek_line(p, &line_break);
        if (is_word(token) && !line_break)
            return missing_after_dot(p);
    }
    if (at(p) == TOKEN_PRIVATE_IDENTIFIER) {
        Node *name = read_private_name(p);
        return private_allowed ? name : missing_after_dot(p);
    }
    return any_word ? read_any_word(p, 0) : read_name(p, 0);
}

/* entity-name = name ("." name)* */
Node *read_entity_name(Parser *p, bool any_word, unsigned code)
{
    Place place = here(p);
    Node *entity = any_word ? read_any_word(p, code) : read_name(p, code);
    uint32_t links = 0;

    while (take(p, TOKEN_DOT) && at(p) != TOKEN_LESS && link_chain(p, &links)) {
        Node *right = read_right_of_dot(p, any_word, false);
        QualifiedName *name = NEW(p, QUALIFIED_NAME, place);
        name->left = entity;
        name->right = right;
        entity = &name->node;
    }
    return entity;
}

/* ---- literals ---- */

static Name *number_text(Parser *p)
{
    const Scanner *s = &p->scan;
    uint32_t length = s->at - s->start;
    const char *text = (const char *)s->text + s->start;
    char *copy;

    if (!(s->flags & SCAN_SEPARATED) || !(copy = arena_push(p->arena, length)))
        return names_get(p->names, text, length);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < length; i++) {
        if (text[i] != '_')
            copy[kept++] = text[i];
    }
    return names_get(p->names, copy, kept);
}

/* The text between quotes, or between a template's marks. */
static Name *quoted_text(Parser *p, uint32_t closing, bool template)
{
    const Scanner *s = &p->scan;
    uint32_t start = s->start + 1;
    uint32_t end = s->flags & SCAN_UNTERMINATED ? s->at : s->at - closing;

    if (template && (s->flags & SCAN_INVALID))
        return NULL;
    if (s->flags & SCAN_ESCAPED)
        return scanner_cook(s, p->names, p->arena, start, end, template);
    return names_get(p->names, (const char *)s->text + start, end - start);
}

Node *read_literal(Parser *p)
{
    static const uint8_t kinds[] = {
        [TOKEN_NUMERIC] = NODE_NUMERIC_LITERAL,
        [TOKEN_BIGINT_LITERAL] = NODE_BIGINT_LITERAL,
        [TOKEN_STRING_LITERAL] = NODE_STRING_LITERAL,
        [TOKEN_REGULAR_EXPRESSION] = NODE_REGULAR_EXPRESSION_LITERAL,
        [TOKEN_TEMPLATE] = NODE_NO_SUBSTITUTION_TEMPLATE,
        [TOKEN_TEMPLATE_HEAD] = NODE_TEMPLATE_HEAD,
        [TOKEN_TEMPLATE_MIDDLE] = NODE_TEMPLATE_MIDDLE,
        [TOKEN_TEMPLATE_TAIL] = NODE_TEMPLATE_TAIL,
    };
    const Scanner *s = &p->scan;
    Place place = here(p);
    Token token = at(p);
    uint32_t flags = s->flags;
    Name *text;

    if (token == TOKEN_STRING_LITERAL)
        text = quoted_text(p, 1, false);
    else if (token == TOKEN_NUMERIC || token == TOKEN_BIGINT_LITERAL)
        text = number_text(p);
    else if (token == TOKEN_REGULAR_EXPRESSION)
        text = names_get(p->names, (const char *)s->text + s->start, s->at - s->start);
    else
        text = quoted_text(
            p, token == TOKEN_TEMPLATE_HEAD || token == TOKEN_TEMPLATE_MIDDLE ? 2 : 1, true);
    next(p);
    Literal *node = as_literal(node_new(p, (NodeKind)kinds[token], sizeof(Literal), place));
    node->text = text;
    if (flags & SCAN_ESCAPED)
        node->node.flags |= NODE_FLAG_ESCAPED;
    if (flags & SCAN_UNTERMINATED)
        node->node.flags |= NODE_FLAG_UNTERMINATED;
    if (flags & SCAN_INVALID)
        node->node.flags |= NODE_FLAG_INVALID;
    if (flags & SCAN_LEGACY)
        node->node.flags |= NODE_FLAG_LEGACY;
    return &node->node;
}

/* The part of a template behind `${...`, from its `}`. */
Node *read_template_piece(Parser *p, bool tagged)
{
    if (at(p) == TOKEN_CLOSE_BRACE) {
        scanner_template(&p->scan, tagged);
        return read_literal(p);
    }
    wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_CLOSE_BRACE);
    Place place = here(p);
    place.start = place.full_start;
    Literal *tail = NEW(p, TEMPLATE_TAIL, place);
    tail->text = names_get(p->names, "", 0);
    tail->node.flags |= NODE_FLAG_MISSING;
    return &tail->node;
}

/* ---- the word that should not be there ---- */

/* Tenths of an edit: a letter put in or left out costs ten, another one twenty, another case one.
 */
static uint32_t distance(const char *a, uint32_t a_length, const char *b, uint32_t b_length)
{
    uint32_t before[32];
    uint32_t now[32];

    for (uint32_t j = 0; j <= b_length; j++)
        before[j] = j * 10;
    for (uint32_t i = 1; i <= a_length; i++) {
        now[0] = i * 10;
        for (uint32_t j = 1; j <= b_length; j++) {
            uint32_t change = a[i - 1] == b[j - 1]                     ? 0
                              : (a[i - 1] | 0x20) == (b[j - 1] | 0x20) ? 1
                                                                       : 20;
            uint32_t least = before[j - 1] + change;
            if (change != 0 && before[j] + 10 < least)
                least = before[j] + 10;
            if (change != 0 && now[j - 1] + 10 < least)
                least = now[j - 1] + 10;
            now[j] = least;
        }
        memcpy(before, now, sizeof(now));
    }
    return before[b_length];
}

/* The word of the language that was most likely meant; NULL if none is near. */
static const char *similar_word(const Name *name)
{
    uint32_t length = name->length;
    uint32_t most_apart = length * 34 / 100 > 2 ? length * 34 / 100 : 2;
    uint32_t best = (length * 4 / 10 + 1) * 10;
    const char *found = NULL;

    if (length > 30)
        return NULL;
    for (int token = TOKEN_FIRST_WORD; token <= TOKEN_LAST_WORD; token++) {
        const char *word = token_text((Token)token);
        uint32_t word_length = (uint32_t)strlen(word);
        uint32_t apart = word_length > length ? word_length - length : length - word_length;
        if (word_length < 3 || apart > most_apart || name->word == token)
            continue;
        uint32_t edits = distance(name->text, length, word, word_length);
        if (edits < best) {
            best = edits;
            found = word;
        }
    }
    return found;
}

/* `constfoo` was meant as `const foo`. */
static const char *split_word(Parser *p, const Name *name)
{
    for (int token = TOKEN_FIRST_WORD; token <= TOKEN_LAST_WORD; token++) {
        const char *word = token_text((Token)token);
        size_t length = strlen(word);
        if (length < 3 || name->length <= length + 2 || memcmp(name->text, word, length) != 0)
            continue;
        char *text = arena_push(p->arena, name->length + 2);
        if (!text)
            return word;
        memcpy(text, word, length);
        text[length] = ' ';
        memcpy(text + length + 1, name->text + length, name->length - length);
        return text;
    }
    return NULL;
}

static void wrong_declared_name(Parser *p, Token body, unsigned code_without, unsigned code)
{
    wrong(p, at(p) == body ? code_without : code);
}

/* A statement should have ended after this expression, and something stands there instead. Often
 * the expression is a mistyped word of the language, and what follows is what belongs to it. */
void wrong_missing_semicolon(Parser *p, const Node *before)
{
    if (before->kind == NODE_TAGGED_TEMPLATE) {
        const Node *template = as_tagged_template(before)->template;
        wrong_at(p, 1443, template->start, template->end);
        return;
    }
    if (before->kind != NODE_IDENTIFIER || is_missing(before) ||
        as_identifier(before)->name->text[0] == '#') {
        wrong_token(p, 1005, p->scan.start, p->scan.at, TOKEN_SEMICOLON);
        return;
    }
    const Name *name = as_identifier(before)->name;
    switch (name->word) {
    case TOKEN_CONST:
    case TOKEN_LET:
    case TOKEN_VAR:
        wrong_at(p, 1440, before->start, before->end);
        return;
    case TOKEN_DECLARE:
        return;
    case TOKEN_INTERFACE:
        wrong_declared_name(p, TOKEN_OPEN_BRACE, 1438, 2427);
        return;
    case TOKEN_IS:
        wrong_at(p, 1228, before->start, p->scan.start);
        return;
    case TOKEN_MODULE:
    case TOKEN_NAMESPACE:
        wrong_declared_name(p, TOKEN_OPEN_BRACE, 1437, 2819);
        return;
    case TOKEN_TYPE:
        wrong_declared_name(p, TOKEN_EQUALS, 1439, 2457);
        return;
    default:
        break;
    }
    if (p->complaints.count > FINDINGS_MAX) /* nobody will read more */
        return wrong_at(p, 1434, before->start, before->end);
    const char *meant = similar_word(name);
    if (!meant)
        meant = split_word(p, name);
    if (meant && !p->stopped)
        complain(
            &p->complaints,
            (Complaint){.start = before->start, .end = before->end, .code = 1435, .text = meant});
    else if (at(p) != TOKEN_UNKNOWN_CHARACTER)
        wrong_at(p, 1434, before->start, before->end);
}
