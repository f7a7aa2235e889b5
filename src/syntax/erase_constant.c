#include "eraser.h"

#include <math.h>
#include <string.h>

#include "number.h"

/*
 * The values of enum members, as far as they are known without running the program: numbers and
 * strings, operators over them, other members, and constants declared before.
 */

enum {
    DEPTH_MAX = 100, /* beyond it a value is not known, and the expression is written out */
};

static const Constant unknown = {.kind = CONSTANT_NONE};

static Constant number(double value)
{
    return (Constant){.kind = CONSTANT_NUMBER, .number = value};
}

static Constant string(const char *text, size_t length)
{
    return (Constant){.kind = CONSTANT_STRING, .is_text = true, .text = text, .length = length};
}

/* ---- numbers ---- */

static double digits(const char *text, double base)
{
    double value = 0;

    for (; *text; text++) {
        int digit = *text <= '9' ? *text - '0' : (*text | 0x20) - 'a' + 10;
        value = value * base + digit;
    }
    return value;
}

/* 017, but not 018 */
static bool is_octal(const char *text)
{
    if (text[0] != '0' || !text[1])
        return false;
    while (*text >= '0' && *text <= '7')
        text++;
    return !*text;
}

/* As written, without `_`: 0x1F, 0b1, 0o7, 017, .5, 5., 5.e3 */
double literal_value(const Name *text)
{
    const char *t = text->text;
    char plain[64];
    size_t used = 0;

    if (t[0] == '0' && (t[1] | 0x20) == 'x')
        return digits(t + 2, 16);
    if (t[0] == '0' && (t[1] | 0x20) == 'o')
        return digits(t + 2, 8);
    if (t[0] == '0' && (t[1] | 0x20) == 'b')
        return digits(t + 2, 2);
    if (is_octal(t))
        return digits(t + 1, 8);
    if (text->length + 2 > sizeof plain)
        return number_parse(t, text->length);
    while (t[0] == '0' && t[1] >= '0' && t[1] <= '9')
        t++;
    if (*t == '.')
        plain[used++] = '0';
    for (; *t; t++) {
        bool lone_dot = *t == '.' && (t[1] < '0' || t[1] > '9');
        if (!lone_dot)
            plain[used++] = *t;
    }
    return number_parse(plain, used);
}

static int32_t to_int32(double value)
{
    if (!isfinite(value))
        return 0;
    double modulo = fmod(trunc(value), 4294967296.0);
    return (int32_t)(uint32_t)(int64_t)modulo;
}

static double power(double base, double exponent)
{
    if (isnan(exponent) || ((base == 1 || base == -1) && isinf(exponent)))
        return NAN;
    return pow(base, exponent);
}

static Constant arithmetic(uint32_t token, double a, double b)
{
    uint32_t places = (uint32_t)to_int32(b) & 31;

    switch (token) {
    case TOKEN_PLUS:
        return number(a + b);
    case TOKEN_MINUS:
        return number(a - b);
    case TOKEN_ASTERISK:
        return number(a * b);
    case TOKEN_SLASH:
        return number(a / b);
    case TOKEN_PERCENT:
        return number(fmod(a, b));
    case TOKEN_ASTERISK_ASTERISK:
        return number(power(a, b));
    case TOKEN_BAR:
        return number(to_int32(a) | to_int32(b));
    case TOKEN_AMPERSAND:
        return number(to_int32(a) & to_int32(b));
    case TOKEN_CARET:
        return number(to_int32(a) ^ to_int32(b));
    case TOKEN_LESS_LESS:
        return number((int32_t)((uint32_t)to_int32(a) << places));
    case TOKEN_GREATER_GREATER:
        return number(to_int32(a) >> places);
    case TOKEN_GREATER_GREATER_GREATER:
        return number((uint32_t)to_int32(a) >> places);
    default:
        return unknown;
    }
}

/* ---- texts ---- */

static size_t plain_number(double value, char to[NUMBER_TEXT_MAX])
{
    return number_text(value == 0 ? 0 : value, to);
}

static Constant joined(Eraser *e, const Constant *a, const Constant *b)
{
    char first[NUMBER_TEXT_MAX];
    char second[NUMBER_TEXT_MAX];
    const char *left = a->kind == CONSTANT_STRING ? a->text : first;
    const char *right = b->kind == CONSTANT_STRING ? b->text : second;
    size_t left_length = a->kind == CONSTANT_STRING ? a->length : plain_number(a->number, first);
    size_t right_length = b->kind == CONSTANT_STRING ? b->length : plain_number(b->number, second);

    /* Doubling a text over and over would need more memory than the text has: not here. */
    if (left_length + right_length > 1 << 16)
        return (Constant){.is_text = true};
    char *both = arena_push(e->arena, left_length + right_length + 1);
    if (!both)
        return unknown;
    memcpy(both, left, left_length);
    memcpy(both + left_length, right, right_length);
    return string(both, left_length + right_length);
}

const char *constant_text(Eraser *e, const Constant *value)
{
    char text[NUMBER_TEXT_MAX];

    if (value->kind == CONSTANT_STRING)
        return quoted_text(e, value->text, value->length);
    size_t length = plain_number(value->number, text);
    return arena_text(e->arena, text, length);
}

/* ---- names ---- */

static Constant evaluate(Eraser *e, Node *node, const Node *user);

/* A member that stands further down has no value yet: the compiler complains and takes 0. */
static Constant member_value(const Symbol *member, const Node *user)
{
    if (member->flags & SYMBOL_SETTLED)
        return member->value;
    return member->declaration->start > user->start ? number(0) : unknown;
}

static Constant const_value(Eraser *e, Symbol *symbol, const Node *user)
{
    Node *node = symbol->declaration;

    if (!node || node->kind != NODE_VARIABLE_DECLARATION || symbol->flags & SYMBOL_BUSY)
        return unknown;
    VariableDeclaration *declaration = as_variable_declaration(node);
    if (declaration->type || !declaration->initializer || node->end > user->start)
        return unknown;
    symbol->flags |= SYMBOL_BUSY;
    Constant value = evaluate(e, declaration->initializer, node);
    symbol->flags &= ~(uint32_t)SYMBOL_BUSY;
    value.is_text = value.kind == CONSTANT_STRING && value.is_text;
    return value;
}

static Constant symbol_value(Eraser *e, Symbol *symbol, const Node *user)
{
    if (symbol && symbol->flags & SYMBOL_MEMBER)
        return member_value(symbol, user);
    if (symbol && symbol->flags & SYMBOL_CONST)
        return const_value(e, symbol, user);
    return unknown;
}

/* a, a.b, a.b.c */
static Symbol *symbol_of(Eraser *e, const Node *node)
{
    Frame *frame;

    if (node->kind == NODE_IDENTIFIER)
        return scope_value(e, as_identifier(node)->name, &frame);
    if (node->kind != NODE_PROPERTY_ACCESS || e->constant_depth > DEPTH_MAX)
        return NULL;
    const PropertyAccess *access = as_property_access(node);
    e->constant_depth++;
    const Symbol *owner = symbol_of(e, access->expression);
    e->constant_depth--;
    return owner && access->name->kind == NODE_IDENTIFIER
               ? symbol_export(e, owner, as_identifier(access->name)->name)
               : NULL;
}

/* E["a"] */
static Symbol *element_symbol(Eraser *e, const ElementAccess *access)
{
    const Node *argument = access->argument;

    if (!argument ||
        (argument->kind != NODE_STRING_LITERAL && argument->kind != NODE_NO_SUBSTITUTION_TEMPLATE))
        return NULL;
    const Symbol *owner = symbol_of(e, access->expression);
    Symbol *member = owner ? symbol_export(e, owner, as_literal(argument)->text) : NULL;
    return member && member->flags & SYMBOL_MEMBER ? member : NULL;
}

static Constant name_value(Eraser *e, Node *node, const Node *user)
{
    const Name *name = as_identifier(node)->name;
    Symbol *symbol = symbol_of(e, node);

    if (!symbol && name->length == 3 && memcmp(name->text, "NaN", 3) == 0)
        return number(NAN);
    if (!symbol && name->length == 8 && memcmp(name->text, "Infinity", 8) == 0)
        return number(INFINITY);
    return symbol_value(e, symbol, user);
}

/* ---- expressions ---- */

static Constant unary_value(Eraser *e, const OperatorUnary *unary, const Node *user)
{
    Constant operand = evaluate(e, unary->operand, user);

    if (operand.kind != CONSTANT_NUMBER)
        return unknown;
    switch (unary->token) {
    case TOKEN_PLUS:
        return number(operand.number);
    case TOKEN_MINUS:
        return number(-operand.number);
    case TOKEN_TILDE:
        return number(~to_int32(operand.number));
    default:
        return unknown;
    }
}

static Constant binary_value(Eraser *e, const Binary *binary, const Node *user)
{
    Constant left = evaluate(e, binary->left, user);
    Constant right = evaluate(e, binary->right, user);
    bool is_text = (left.is_text || right.is_text) && binary->token == TOKEN_PLUS;
    Constant value = {.is_text = is_text};

    if (left.kind == CONSTANT_NUMBER && right.kind == CONSTANT_NUMBER)
        value = arithmetic(binary->token, left.number, right.number);
    else if (left.kind != CONSTANT_NONE && right.kind != CONSTANT_NONE &&
             binary->token == TOKEN_PLUS)
        value = joined(e, &left, &right);
    value.is_text = is_text;
    return value;
}

static Constant template_value(Eraser *e, const Template *template, const Node *user)
{
    const Name *head = as_literal(template->head)->text;
    Constant value = head ? string(head->text, head->length) : unknown;

    for (uint32_t i = 0; i < template->spans->count && value.kind == CONSTANT_STRING; i++) {
        TemplateSpan *span = as_template_span(template->spans->at[i]);
        const Name *rest = as_literal(span->literal)->text;
        Constant inner = evaluate(e, span->expression, user);
        if (inner.kind == CONSTANT_NONE || !rest)
            return (Constant){.is_text = true};
        value = joined(e, &value, &inner);
        Constant tail = string(rest->text, rest->length);
        if (value.kind == CONSTANT_STRING)
            value = joined(e, &value, &tail);
    }
    value.is_text = true;
    return value;
}

static Constant evaluate_kind(Eraser *e, Node *node, const Node *user)
{
    switch (node->kind) {
    case NODE_NUMERIC_LITERAL:
        return number(literal_value(as_literal(node)->text));
    case NODE_STRING_LITERAL:
    case NODE_NO_SUBSTITUTION_TEMPLATE: {
        const Name *text = as_literal(node)->text;
        return text ? string(text->text, text->length) : unknown;
    }
    case NODE_PARENTHESIZED_EXPRESSION:
        return evaluate(e, as_unary(node)->expression, user);
    case NODE_PREFIX_UNARY:
        return unary_value(e, as_operator_unary(node), user);
    case NODE_BINARY_EXPRESSION:
        return binary_value(e, as_binary(node), user);
    case NODE_TEMPLATE_EXPRESSION:
        return template_value(e, as_template(node), user);
    case NODE_IDENTIFIER:
        return name_value(e, node, user);
    case NODE_PROPERTY_ACCESS:
        return symbol_value(e, symbol_of(e, node), user);
    case NODE_ELEMENT_ACCESS:
        return symbol_value(e, element_symbol(e, as_element_access(node)), user);
    default:
        return unknown;
    }
}

static Constant evaluate(Eraser *e, Node *node, const Node *user)
{
    if (e->constant_depth > DEPTH_MAX)
        return unknown;
    e->constant_depth++;
    Constant value = evaluate_kind(e, node, user);
    e->constant_depth--;
    return value;
}

static Symbol *member_symbol(Eraser *e, const Symbol *owner, const Node *name)
{
    if (name->kind == NODE_IDENTIFIER)
        return symbol_export(e, owner, as_identifier(name)->name);
    return name->kind == NODE_STRING_LITERAL ? symbol_export(e, owner, as_literal(name)->text)
                                             : NULL;
}

Constant enum_value(Eraser *e, const EnumDeclaration *declared, const Symbol *owner, uint32_t index,
                    Constant before)
{
    EnumMember *member = as_enum_member(declared->members->at[index]);
    Constant value = unknown;

    if (member->initializer)
        value = evaluate(e, member->initializer, &member->node);
    else if (before.kind == CONSTANT_NUMBER)
        value = number(before.number + 1);
    Symbol *symbol = member_symbol(e, owner, member->name);
    if (symbol && symbol->declaration == &member->node) {
        symbol->value = value;
        symbol->value.is_text = value.kind == CONSTANT_STRING;
        symbol->flags |= SYMBOL_SETTLED;
    }
    return value;
}
