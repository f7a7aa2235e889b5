/* A value is looked at along its type. Of a union that no member fits, the member that went deepest
 * into the value is probably the one that was meant. */
#include "holds.h"

#include <string.h>

#include "base.h"
#include "json_type.h"
#include "number.h"
#include "rpc.h"

enum { TEXT_MAX_BYTES = 120 };

/* The way to a value: names and indexes from the root. */
typedef struct Step {
    const struct Step *before;
    const Shape *shape;
    uint32_t name; /* its token; 0: an element */
    uint32_t index;
    unsigned depth;
} Step;

typedef struct Holder {
    Arena *arena;
    const Tape *tape;
    const char *name;
    const char *misfit; /* what was found, and how deep */
    unsigned depth;
    unsigned left; /* comparisons: a value that needs more is not looked at to its end */
} Holder;

static bool fits(Holder *holder, const Step *step, uint32_t at, const Shape *shape);

/* ---- words ---- */

static void put_type(Buf *out, const Shape *shape, unsigned depth);

static void put_members(Buf *out, const Shape *shape, unsigned depth)
{
    buf_append_string(out, "{ ");
    for (const Shape *member = shape->first; member; member = member->next) {
        buf_append_string(out, member->name ? member->name : "[name: string]");
        buf_append_string(out, member->optional ? "?: " : ": ");
        put_type(out, member, depth + 1);
        buf_append_string(out, member->next ? "; " : " ");
    }
    buf_append_byte(out, '}');
}

static void put_type(Buf *out, const Shape *shape, unsigned depth)
{
    static const char *const words[] = {[SHAPE_ANY] = "any",
                                        [SHAPE_UNKNOWN] = "unknown",
                                        [SHAPE_NEVER] = "never",
                                        [SHAPE_VOID] = "void",
                                        [SHAPE_UNDEFINED] = "undefined",
                                        [SHAPE_NULL] = "null",
                                        [SHAPE_BOOLEAN] = "boolean",
                                        [SHAPE_NUMBER] = "number",
                                        [SHAPE_STRING] = "string",
                                        [SHAPE_BIGINT] = "bigint",
                                        [SHAPE_SYMBOL] = "symbol",
                                        [SHAPE_PROMISE] = "Promise",
                                        [SHAPE_MAP] = "Map",
                                        [SHAPE_SET] = "Set",
                                        [SHAPE_FUNCTION] = "function"};
    const char *between = "";

    if (shape->text) {
        buf_append_string(out, shape->text);
    } else if (depth > 3) {
        buf_append_string(out, "...");
    } else if (shape->kind == SHAPE_ARRAY && shape->first) {
        buf_append_string(out, "Array<");
        put_type(out, shape->first, depth + 1);
        buf_append_byte(out, '>');
    } else if (shape->kind == SHAPE_OBJECT) {
        put_members(out, shape, depth);
    } else if (shape->kind == SHAPE_UNION || shape->kind == SHAPE_TUPLE) {
        bool tuple = shape->kind == SHAPE_TUPLE;
        buf_append_string(out, tuple ? "[" : "");
        for (const Shape *child = shape->first; child; child = child->next) {
            buf_append_string(out, between);
            put_type(out, child, depth + 1);
            between = tuple ? ", " : " | ";
        }
        buf_append_string(out, tuple ? "]" : "");
    } else {
        buf_append_string(
            out, shape->kind < COUNT_OF(words) && words[shape->kind] ? words[shape->kind] : "any");
    }
}

/* Not longer than anybody reads. */
static const char *take_text(Arena *arena, Buf *out)
{
    size_t length = out->length;

    if (length > TEXT_MAX_BYTES) {
        length = TEXT_MAX_BYTES;
        while (length > 0 && (out->data[length] & 0xC0) == 0x80)
            length--;
        out->length = length;
        buf_append_string(out, "...");
    }
    const char *text = arena_text(arena, (const char *)out->data, out->length);
    buf_release(out);
    return text ? text : "";
}

static const char *type_text(Holder *holder, const Shape *shape)
{
    Buf out;

    buf_init(&out, holder->arena->allocator, 1 << 16);
    put_type(&out, shape, 0);
    return take_text(holder->arena, &out);
}

/* A scalar as it stands, else its type. */
static const char *value_text(Holder *holder, uint32_t at)
{
    const JsonToken *token = tape_token(holder->tape, at);
    char digits[NUMBER_TEXT_MAX];
    Buf out;

    buf_init(&out, holder->arena->allocator, 1 << 20);
    if (token->kind == JSON_STRING)
        rpc_put_string(&out, tape_text(holder->tape, token), token->length);
    else if (token->kind == JSON_NUMBER)
        buf_append(&out, digits, number_text(token->number, digits));
    else if (token->kind == JSON_NULL)
        buf_append_string(&out, "null");
    else
        json_type_put(&out, holder->tape, at, NULL);
    return take_text(holder->arena, &out);
}

static bool is_plain(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        if (!((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
              (i > 0 && c >= '0' && c <= '9')))
            return false;
    }
    return length > 0;
}

static void put_path(Holder *holder, Buf *out, const Step *step)
{
    if (!step->before) {
        buf_append_string(out, holder->name);
        return;
    }
    put_path(holder, out, step->before);
    if (!step->name) {
        buf_append_byte(out, '[');
        buf_append_uint(out, step->index);
        buf_append_byte(out, ']');
        return;
    }
    const JsonToken *token = tape_token(holder->tape, step->name);
    const char *text = tape_text(holder->tape, token);
    bool plain = is_plain(text, token->length);
    buf_append_string(out, plain ? "." : "[");
    if (plain)
        buf_append(out, text, token->length);
    else
        rpc_put_string(out, text, token->length);
    buf_append_string(out, plain ? "" : "]");
}

static const char *path_text(Holder *holder, const Step *step)
{
    Buf out;

    buf_init(&out, holder->arena->allocator, 1 << 20);
    put_path(holder, &out, step);
    const char *text = arena_text(holder->arena, (const char *)out.data, out.length);
    buf_release(&out);
    return text ? text : "";
}

static bool misfit(Holder *holder, const Step *step, uint32_t at, const Shape *shape)
{
    /* another literal: another member of the union is meant */
    unsigned depth = step->depth - (shape->kind == SHAPE_LITERAL && step->depth > 0);

    if (holder->misfit && holder->depth >= depth)
        return false;
    holder->depth = depth;
    holder->misfit =
        arena_printf(holder->arena, "The input `%s` must be `%s`, and is `%s`.",
                     path_text(holder, step), type_text(holder, shape), value_text(holder, at));
    return false;
}

static bool lacks(Holder *holder, const Step *step, const Shape *member)
{
    if (holder->misfit && holder->depth > step->depth + 1)
        return false;
    holder->depth = step->depth + 1;
    holder->misfit = arena_printf(holder->arena, "The input `%s` lacks `%s`, which must be `%s`.",
                                  path_text(holder, step), member->name, type_text(holder, member));
    return false;
}

/* ---- arrays and objects ---- */

static bool fits_array(Holder *holder, const Step *step, uint32_t at, const Shape *shape)
{
    uint32_t end = tape_token(holder->tape, at)->next, index = 0;
    const Shape *element = shape->first;
    bool tuple = shape->kind == SHAPE_TUPLE;

    for (uint32_t i = at + 1; i < end; i = tape_token(holder->tape, i)->next, index++) {
        Step next = {step, shape, 0, index, step->depth + 1};
        if (!element)
            return tuple ? misfit(holder, step, at, shape) : true;
        if (element->rest)
            return true;
        if (!fits(holder, &next, i, element))
            return false;
        element = tuple ? element->next : element;
    }
    if (tuple && element && !element->optional && !element->rest)
        return misfit(holder, step, at, shape);
    return true;
}

static bool is_called(const Holder *holder, uint32_t name, const Shape *member)
{
    const JsonToken *token = tape_token(holder->tape, name);

    return member->name && strlen(member->name) == token->length &&
           memcmp(member->name, tape_text(holder->tape, token), token->length) == 0;
}

/* The last member of that name counts; 0: none. */
static uint32_t member_of(const Holder *holder, uint32_t object, const Shape *member)
{
    uint32_t end = tape_token(holder->tape, object)->next, found = 0;

    for (uint32_t at = object + 1; at < end; at = tape_token(holder->tape, at + 1)->next)
        found = is_called(holder, at, member) ? at : found;
    return found;
}

static bool fits_index(Holder *holder, const Step *step, uint32_t at, const Shape *shape,
                       const Shape *index)
{
    uint32_t end = tape_token(holder->tape, at)->next;

    for (uint32_t i = at + 1; i < end; i = tape_token(holder->tape, i + 1)->next) {
        const Shape *own = shape->first;
        Step next = {step, shape, i, 0, step->depth + 1};
        while (own && !is_called(holder, i, own))
            own = own->next;
        if (!own && !fits(holder, &next, i + 1, index))
            return false;
    }
    return true;
}

/* More than the type has is right. */
static bool fits_object(Holder *holder, const Step *step, uint32_t at, const Shape *shape)
{
    const Shape *index = NULL;
    unsigned indexes = 0;

    for (const Shape *member = shape->first; member; member = member->next) {
        if (!member->name) {
            index = member;
            indexes++;
            continue;
        }
        uint32_t name = member_of(holder, at, member);
        Step next = {step, shape, name, 0, step->depth + 1};
        if (!name && !member->optional && !fits(holder, &next, 0, member))
            return lacks(holder, step, member);
        if (name && !fits(holder, &next, name + 1, member))
            return false;
    }
    return indexes != 1 || fits_index(holder, step, at, shape, index);
}

/* ---- one value ---- */

static bool is_literal(Holder *holder, uint32_t at, const Shape *shape)
{
    const JsonToken *token = tape_token(holder->tape, at);

    if (token->kind == JSON_TRUE || token->kind == JSON_FALSE)
        return strcmp(shape->text, token->kind == JSON_TRUE ? "true" : "false") == 0;
    if (token->kind != JSON_STRING && token->kind != JSON_NUMBER)
        return false;
    Buf out;
    bool same = true;
    char digits[NUMBER_TEXT_MAX];
    buf_init(&out, holder->arena->allocator, 1 << 20);
    if (token->kind == JSON_STRING)
        rpc_put_string(&out, tape_text(holder->tape, token), token->length);
    else
        buf_append(&out, digits, number_text(token->number, digits));
    if (!out.failed)
        same = strlen(shape->text) == out.length && memcmp(shape->text, out.data, out.length) == 0;
    buf_release(&out);
    return same;
}

/* What `{"$type": ...}` stands for is not looked into. */
static bool fits_form(const char *form, const Shape *shape)
{
    bool scalar = shape->kind == SHAPE_BOOLEAN || shape->kind == SHAPE_NULL;

    if (strcmp(form, "any") == 0)
        return true;
    if (strcmp(form, "number") == 0)
        return shape->kind == SHAPE_NUMBER;
    if (strcmp(form, "string") == 0)
        return shape->kind == SHAPE_STRING;
    if (strcmp(form, "bigint") == 0)
        return shape->kind == SHAPE_BIGINT || shape->kind == SHAPE_LITERAL;
    if (strcmp(form, "undefined") == 0)
        return shape->kind == SHAPE_UNDEFINED || shape->kind == SHAPE_VOID;
    if (strcmp(form, "Date") == 0)
        return shape->kind == SHAPE_OBJECT ||
               (shape->kind == SHAPE_INSTANCE && strcmp(shape->text, "Date") == 0);
    return !scalar && shape->kind != SHAPE_NUMBER && shape->kind != SHAPE_STRING &&
           shape->kind != SHAPE_LITERAL;
}

static bool has_kind(Holder *holder, uint32_t at, const Shape *shape)
{
    const JsonToken *token = tape_token(holder->tape, at);
    const char *form = token->kind == JSON_OBJECT ? json_type_form(holder->tape, at) : NULL;

    if (form)
        return fits_form(form, shape);
    switch (shape->kind) {
    case SHAPE_NULL:
        return token->kind == JSON_NULL;
    case SHAPE_BOOLEAN:
        return token->kind == JSON_TRUE || token->kind == JSON_FALSE;
    case SHAPE_NUMBER:
        return token->kind == JSON_NUMBER;
    case SHAPE_STRING:
        return token->kind == JSON_STRING;
    case SHAPE_LITERAL:
        return is_literal(holder, at, shape);
    case SHAPE_ARRAY:
    case SHAPE_TUPLE:
        return token->kind == JSON_ARRAY;
    case SHAPE_OBJECT:
        return token->kind == JSON_OBJECT || token->kind == JSON_ARRAY ||
               (!shape->first && token->kind != JSON_NULL);
    default:
        return false;
    }
}

static bool fits_union(Holder *holder, const Step *step, uint32_t at, const Shape *shape)
{
    for (const Shape *child = shape->first; child; child = child->next) {
        if (fits(holder, step, at, child)) {
            holder->misfit = NULL;
            return true;
        }
    }
    if (holder->depth <= step->depth)
        holder->misfit = NULL;
    return misfit(holder, step, at, shape);
}

/* The type around it that is called so. */
static const Shape *again(const Step *step, const Shape *shape)
{
    for (; step; step = step->before) {
        if (step->shape && step->shape->text && shape->text &&
            strcmp(step->shape->text, shape->text) == 0)
            return step->shape;
    }
    return NULL;
}

static bool may_be_absent(const Shape *shape)
{
    if (shape->kind != SHAPE_UNION)
        return shape->kind == SHAPE_UNDEFINED || shape->kind == SHAPE_VOID;
    for (const Shape *child = shape->first; child; child = child->next) {
        if (may_be_absent(child))
            return true;
    }
    return false;
}

/* `at` 0 below the root: there is no such value. */
static bool fits(Holder *holder, const Step *step, uint32_t at, const Shape *shape)
{
    enum { DEPTH_MAX = 200 };

    if (shape->kind == SHAPE_AGAIN)
        shape = again(step, shape);
    if (!shape || shape->kind == SHAPE_ANY || shape->kind == SHAPE_UNKNOWN ||
        step->depth > DEPTH_MAX || holder->left == 0)
        return true;
    holder->left--;
    if (shape->kind == SHAPE_UNION && (at || !step->before)) {
        Step inside = *step;
        inside.shape = shape;
        return fits_union(holder, &inside, at, shape);
    }
    if (!at && step->before)
        return may_be_absent(shape);
    if (!has_kind(holder, at, shape))
        return misfit(holder, step, at, shape);
    const JsonToken *token = tape_token(holder->tape, at);
    if (token->kind == JSON_ARRAY && shape->kind != SHAPE_OBJECT)
        return fits_array(holder, step, at, shape);
    if (token->kind == JSON_OBJECT && shape->kind == SHAPE_OBJECT &&
        !json_type_form(holder->tape, at))
        return fits_object(holder, step, at, shape);
    return true;
}

const char *holds(Arena *arena, const char *name, const Tape *tape, const Shape *shape)
{
    Holder holder = {.arena = arena, .tape = tape, .name = name, .left = 2000000};
    Step root = {.before = NULL};

    return fits(&holder, &root, 0, shape) ? NULL : holder.misfit;
}
