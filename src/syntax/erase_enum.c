#include "eraser.h"

#include <string.h>

/* ---- text as the compiler writes it ---- */

static size_t escaped(uint32_t unit, bool digit_follows, char *to)
{
    static const char hex[] = "0123456789ABCDEF";
    static const char letters[] = {
        ['\b'] = 'b', ['\t'] = 't', ['\n'] = 'n', ['\v'] = 'v', ['\f'] = 'f', ['\r'] = 'r'};

    if (unit == '"' || unit == '\\') {
        to[0] = '\\';
        to[1] = (char)unit;
        return 2;
    }
    if (unit >= 0x20 && unit < 0x7F) {
        to[0] = (char)unit;
        return 1;
    }
    if (unit < sizeof letters && letters[unit]) {
        to[0] = '\\';
        to[1] = letters[unit];
        return 2;
    }
    if (unit == 0 && !digit_follows) {
        memcpy(to, "\\0", 2);
        return 2;
    }
    to[0] = '\\';
    to[1] = 'u';
    for (int i = 0; i < 4; i++)
        to[2 + i] = hex[unit >> (12 - 4 * i) & 15];
    return 6;
}

/* One character of WTF-8; `*at` moves past it. */
static uint32_t code_point(const char *text, size_t length, size_t *at)
{
    uint8_t lead = (uint8_t)text[(*at)++];
    int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    uint32_t point = more == 0 ? lead : lead & (0x3Fu >> more);

    for (; more > 0 && *at < length; more--)
        point = point << 6 | ((uint8_t)text[(*at)++] & 0x3F);
    return point;
}

const char *quoted_text(Eraser *e, const char *text, size_t length)
{
    char *quoted = arena_push(e->arena, 6 * length + 3);
    size_t used = 0;

    if (!quoted)
        return "";
    quoted[used++] = '"';
    for (size_t at = 0; at < length;) {
        uint32_t point = code_point(text, length, &at);
        bool digit_follows = at < length && text[at] >= '0' && text[at] <= '9';
        if (point >= 0x10000) {
            used += escaped(0xD800 + ((point - 0x10000) >> 10), false, quoted + used);
            point = 0xDC00 + ((point - 0x10000) & 0x3FF);
        }
        used += escaped(point, digit_follows, quoted + used);
    }
    quoted[used++] = '"';
    quoted[used] = 0;
    return quoted;
}

/* ---- members ---- */

/* What stands in the brackets: the name as a string, or as it is written. */
static const char *name_text(Eraser *e, const Node *name)
{
    if (name->kind == NODE_COMPUTED_PROPERTY_NAME) {
        name = as_unary(name)->expression;
        if (name->kind != NODE_STRING_LITERAL)
            return arena_text(e->arena, e->source->text + name->start, name->end - name->start);
    }
    if (name->kind == NODE_NUMERIC_LITERAL) /* an error that the check tells */
        return arena_text(e->arena, e->source->text + name->start, name->end - name->start);
    const Name *text = name->kind == NODE_IDENTIFIER || name->kind == NODE_PRIVATE_IDENTIFIER
                           ? as_identifier(name)->name
                           : as_literal(name)->text;
    return text ? quoted_text(e, text->text, text->length) : "\"\"";
}

/* Red = 1,   as   N[N["Red"] = 1] = "Red";   and a text as   N["Red"] = "red"; */
static void write_constant(Eraser *e, EnumMember *member, const char *name, const Constant *value,
                           const char *end)
{
    bool is_text = value->kind == CONSTANT_STRING;
    const char *written = value->kind == CONSTANT_NONE ? "void 0" : constant_text(e, value);
    const char *format =
        is_text ? PARAMETER "[%s] = %s%s%s%s" : PARAMETER "[" PARAMETER "[%s] = %s] = %s%s";

    blank(e, member->node.start, member->node.end);
    edit(e, (Edit){.at = member->node.start,
                   .after = member->node.end - member->node.start,
                   .text = is_text ? text_of(e, format, name, written, end, "", "")
                                   : text_of(e, format, name, written, name, end),
                   .frame = e->frame});
}

static void write_computed(Eraser *e, EnumMember *member, const char *name, bool is_text,
                           const char *end)
{
    uint32_t start = member->node.start;
    uint32_t value = member->initializer->start;

    blank(e, start, value);
    edit(e, (Edit){.at = start,
                   .after = value - start,
                   .text = is_text ? text_of(e, PARAMETER "[%s] = ", name)
                                   : text_of(e, PARAMETER "[" PARAMETER "[%s] = ", name),
                   .frame = e->frame});
    visit(e, member->initializer);
    edit_text(e, member->node.end, is_text ? end : text_of(e, "] = %s%s", name, end));
}

static Constant write_member(Eraser *e, const EnumDeclaration *declared, uint32_t index,
                             Constant before)
{
    EnumMember *member = as_enum_member(declared->members->at[index]);
    const char *name = name_text(e, member->name);
    uint32_t comma = skip_trivia(e, member->node.end);
    bool has_comma = e->source->text[comma] == ',';
    const char *end = has_comma ? "" : ";";
    Constant value = enum_value(e, declared, e->frame->symbol, index, before);

    if (has_comma)
        put(e, comma, ';');
    if (value.kind == CONSTANT_NONE && member->initializer)
        write_computed(e, member, name ? name : "", value.is_text, end);
    else
        write_constant(e, member, name ? name : "", &value, end);
    return value;
}

Node *visit_enum(Eraser *e, Node *node)
{
    EnumDeclaration *declared = as_enum_declaration(node);
    Symbol *symbol = scope_any(e, as_identifier(declared->name)->name);
    Frame *frame = ARENA_NEW(e->arena, Frame);
    Constant value = {.kind = CONSTANT_NUMBER, .number = -1};
    Scope scope;

    if (!symbol || !frame)
        return NULL;
    e->lowered |= LOWERED_ENUM;
    scope_enter(e, &scope);
    frame_enter(e, frame, symbol, declared->name, NODE_ENUM_DECLARATION);
    open_container(e, frame, symbol, declared->modifiers, node->start,
                   declared->members->start + 1);
    for (uint32_t i = 0; i < declared->members->count; i++)
        value = write_member(e, declared, i, value);
    scope_leave(e, &scope);
    e->frame = frame->outer;
    close_container(e, symbol->name, is_exported_member(e, declared->modifiers), node->end, "");
    return NULL;
}
