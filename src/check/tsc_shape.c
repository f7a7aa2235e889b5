/* A type is a number to the compiler; what it is made of is asked in several small questions. What
 * the library defines (dates, maps, bytes) is known by name, the rest by its parts. */
#include "tsc_shape.h"

#include <string.h>

#include "base.h"
#include "number.h"
#include "utf8.h"

enum {
    DEPTH_MAX = 24,       /* types inside types */
    QUESTIONS_MAX = 4000, /* for one check */
};

/* TypeFlags, ObjectFlags, ElementFlags, SymbolFlags, SignatureFlags of the pinned version. */
enum {
    TYPE_ANY = 1 << 0,
    TYPE_UNKNOWN = 1 << 1,
    TYPE_UNDEFINED = 1 << 2,
    TYPE_NULL = 1 << 3,
    TYPE_VOID = 1 << 4,
    TYPE_STRING = 1 << 5,
    TYPE_NUMBER = 1 << 6,
    TYPE_BIGINT = 1 << 7,
    TYPE_BOOLEAN = 1 << 8,
    TYPE_SYMBOL = 1 << 9,
    TYPE_LITERALS = 0xF << 10, /* of string, number, bigint, boolean */
    TYPE_BIGINT_LITERAL = 1 << 12,
    TYPE_UNIQUE_SYMBOL = 1 << 14,
    TYPE_ANY_OBJECT = 1 << 17, /* `object` */
    TYPE_NEVER = 1 << 18,
    TYPE_PARAMETER = 1 << 19,
    TYPE_OBJECT = 1 << 20,
    TYPE_TEMPLATES = 3 << 22, /* template literal types, and Uppercase<...> */
    TYPE_UNION = 1 << 27,
    TYPE_INTERSECTION = 1 << 28,
    OBJECT_NAMED = 3, /* class or interface */
    OBJECT_REFERENCE = 1 << 2,
    OBJECT_TUPLE = 1 << 3,
    ELEMENT_OPTIONAL = 2,
    ELEMENT_REST = 12,
    SYMBOL_OPTIONAL = 1 << 24,
    SIGNATURE_REST = 1,
};

typedef struct Type {
    uint32_t id;
    uint32_t flags;
    uint32_t object_flags;
    uint32_t target;
    bool has_alias;
    const char *literal; /* its value as JSON */
} Type;

typedef struct Frame {
    const struct Frame *around;
    uint32_t id;
    const char *name;
    unsigned depth;
} Frame;

typedef struct Shaper {
    ShapeSession *session;
    unsigned left; /* questions that may still be asked */
    tn_status status;
} Shaper;

typedef struct Answer {
    Tape tape;
    uint32_t result;
    bool good;
} Answer;

static const Shape unknown_shape = {.kind = SHAPE_ANY};

static const Shape *shape_of(Shaper *shaper, const Frame *around, const Type *type);

/* ---- asking ---- */

static Buf *begin(Shaper *shaper, const char *method, size_t *out_mark)
{
    ShapeSession *session = shaper->session;
    Buf *out = rpc_begin(session->rpc, method, out_mark);

    buf_append_string(out, "{\"snapshot\":");
    buf_append_uint(out, session->snapshot);
    buf_append_string(out, ",\"project\":");
    rpc_put_string(out, session->project, strlen(session->project));
    return out;
}

static void finish(Shaper *shaper, size_t mark, Answer *out_answer)
{
    *out_answer = (Answer){.good = false};
    buf_append_byte(&shaper->session->rpc->out, '}');
    uint32_t id = rpc_end(shaper->session->rpc, mark);
    tn_status status = rpc_answer(shaper->session->rpc, id, &out_answer->tape, &out_answer->result);
    if (status == TN_OK)
        out_answer->good = tape_token(&out_answer->tape, out_answer->result)->kind != JSON_NULL;
    else if (status != TN_ERR_ARGUMENT)
        shaper->status = status;
}

/* One question about one thing: {"key": id}. Release the answer's tape in every case. */
static void ask(Shaper *shaper, const char *method, const char *key, uint32_t id,
                Answer *out_answer)
{
    size_t mark;

    *out_answer = (Answer){.good = false};
    if (shaper->status != TN_OK || shaper->left == 0)
        return;
    shaper->left--;
    Buf *out = begin(shaper, method, &mark);
    buf_append_string(out, ",\"");
    buf_append_string(out, key);
    buf_append_string(out, "\":");
    buf_append_uint(out, id);
    finish(shaper, mark, out_answer);
}

static uint32_t number_of(const Tape *tape, uint32_t object, const char *name)
{
    uint32_t at =
        tape_token(tape, object)->kind == JSON_OBJECT ? tape_member(tape, object, name) : 0;
    const JsonToken *token = at ? tape_token(tape, at) : NULL;

    return token && token->kind == JSON_NUMBER && token->number > 0 && token->number < UINT32_MAX
               ? (uint32_t)token->number
               : 0;
}

/* "a" for a string, 1 for a number, 1n for {"negative": false, ...} or what looks like digits. */
static const char *literal_of(Shaper *shaper, const Tape *tape, uint32_t object, uint32_t flags)
{
    Arena *arena = shaper->session->arena;
    uint32_t at = tape_member(tape, object, "value");
    const JsonToken *token = at ? tape_token(tape, at) : NULL;
    const char *text = NULL;
    Buf buf;

    if (!token || !(flags & TYPE_LITERALS))
        return NULL;
    buf_init(&buf, arena->allocator, 64 * 1024);
    if (token->kind == JSON_STRING && (flags & TYPE_BIGINT_LITERAL)) {
        buf_append(&buf, tape_text(tape, token), token->length);
        buf_append_byte(&buf, 'n');
    } else if (token->kind == JSON_STRING) {
        rpc_put_string(&buf, tape_text(tape, token), token->length);
    } else if (token->kind == JSON_NUMBER) {
        char digits[NUMBER_TEXT_MAX];
        buf_append(&buf, digits, number_text(token->number, digits));
    } else if (token->kind == JSON_TRUE || token->kind == JSON_FALSE) {
        buf_append_string(&buf, token->kind == JSON_TRUE ? "true" : "false");
    }
    if (buf.length > 0 && !buf.failed)
        text = arena_text(arena, (const char *)buf.data, buf.length);
    buf_release(&buf);
    return text;
}

static Type type_at(Shaper *shaper, const Tape *tape, uint32_t object)
{
    if (tape_token(tape, object)->kind != JSON_OBJECT)
        return (Type){.flags = TYPE_ANY};
    Type type = {
        .id = number_of(tape, object, "id"),
        .flags = number_of(tape, object, "flags"),
        .object_flags = number_of(tape, object, "objectFlags"),
        .target = number_of(tape, object, "target"),
        .has_alias = number_of(tape, object, "aliasSymbol") > 0,
    };
    type.literal = literal_of(shaper, tape, object, type.flags);
    return type;
}

static Type ask_type(Shaper *shaper, const char *method, const char *key, uint32_t id)
{
    Type type = {.flags = TYPE_ANY};
    Answer answer;

    ask(shaper, method, key, id, &answer);
    if (answer.good)
        type = type_at(shaper, &answer.tape, answer.result);
    tape_release(&answer.tape);
    return type;
}

/* A list of types, copied out of the answer: shapes are made with questions of their own. */
static Type *ask_types(Shaper *shaper, const char *method, const char *key, uint32_t id,
                       size_t *out_count)
{
    Answer answer;
    Type *types = NULL;

    *out_count = 0;
    ask(shaper, method, key, id, &answer);
    if (answer.good && tape_token(&answer.tape, answer.result)->kind == JSON_ARRAY) {
        const JsonToken *list = tape_token(&answer.tape, answer.result);
        types = ARENA_ARRAY(shaper->session->arena, Type, list->length + 1);
        for (uint32_t at = answer.result + 1; types && at < list->next;
             at = tape_token(&answer.tape, at)->next)
            types[(*out_count)++] = type_at(shaper, &answer.tape, at);
    }
    tape_release(&answer.tape);
    return types;
}

static const char *ask_text(Shaper *shaper, const Type *type)
{
    const char *text = "";
    Answer answer;

    ask(shaper, "typeToString", "type", type->id, &answer);
    if (answer.good && tape_token(&answer.tape, answer.result)->kind == JSON_STRING) {
        const JsonToken *token = tape_token(&answer.tape, answer.result);
        text = arena_text(shaper->session->arena, tape_text(&answer.tape, token), token->length);
    }
    tape_release(&answer.tape);
    return text ? text : "";
}

/* ---- building ---- */

static Shape *new_shape(Shaper *shaper, ShapeKind kind, const char *text)
{
    Shape *shape = ARENA_NEW(shaper->session->arena, Shape);

    if (!shape) {
        shaper->status = arena_status(shaper->session->arena);
        return NULL;
    }
    shape->kind = kind;
    shape->text = text;
    return shape;
}

/* A child is a copy: the same shape may stand in several places. */
static Shape *add_child(Shaper *shaper, const Shape *child, const Shape ***last)
{
    Shape *copy = ARENA_NEW(shaper->session->arena, Shape);

    if (!copy) {
        shaper->status = arena_status(shaper->session->arena);
        return NULL;
    }
    *copy = *child;
    copy->name = NULL;
    copy->next = NULL;
    copy->optional = copy->readonly = copy->rest = false;
    **last = copy;
    *last = &copy->next;
    return copy;
}

static const Shape *with_children(Shaper *shaper, const Frame *frame, Shape *shape,
                                  const Type *types, size_t count)
{
    const Shape **last = shape ? &shape->first : NULL;

    for (size_t i = 0; shape && i < count; i++) {
        if (!add_child(shaper, shape_of(shaper, frame, &types[i]), &last))
            return &unknown_shape;
    }
    return shape ? shape : &unknown_shape;
}

/* Without the `undefined` that being optional adds. */
static void take_undefined_out(Shape *shape)
{
    if (shape->kind != SHAPE_UNION || !shape->first)
        return;
    const Shape **link = &shape->first;
    while (*link) {
        if ((*link)->kind == SHAPE_UNDEFINED)
            *link = (*link)->next;
        else
            link = (const Shape **)(uintptr_t) & (*link)->next;
    }
    if (shape->first && !shape->first->next) {
        const Shape *only = shape->first, *next = shape->next;
        const char *name = shape->name;
        bool readonly = shape->readonly;
        *shape = *only;
        shape->next = next;
        shape->name = name;
        shape->optional = true;
        shape->readonly = readonly;
    }
}

/* ---- members ---- */

typedef struct Member {
    uint32_t symbol;
    const char *name;
    bool optional;
} Member;

/* Names as programs write them; NULL for private ones and symbols. */
static const char *member_name(Shaper *shaper, const Tape *tape, uint32_t object)
{
    uint32_t at = tape_member(tape, object, "name");
    const JsonToken *token = at ? tape_token(tape, at) : NULL;

    if (!token || token->kind != JSON_STRING)
        return NULL;
    const char *text = tape_text(tape, token);
    size_t length = token->length;
    if (length >= 3 && (memcmp(text, "__@", 3) == 0 || memcmp(text, "__#", 3) == 0))
        return NULL;
    if (length >= 1 && (unsigned char)text[0] >= 0xF8)
        return NULL; /* the compiler's own names */
    if (length >= 3 && memcmp(text, "___", 3) == 0) {
        text++;
        length--;
    }
    return arena_text(shaper->session->arena, text, length);
}

static Member *ask_members(Shaper *shaper, const char *method, const char *key, uint32_t id,
                           size_t *out_count)
{
    Answer answer;
    Member *members = NULL;

    *out_count = 0;
    ask(shaper, method, key, id, &answer);
    if (answer.good && tape_token(&answer.tape, answer.result)->kind == JSON_ARRAY) {
        const JsonToken *list = tape_token(&answer.tape, answer.result);
        members = ARENA_ARRAY(shaper->session->arena, Member, list->length + 1);
        for (uint32_t at = answer.result + 1; members && at < list->next;
             at = tape_token(&answer.tape, at)->next) {
            if (tape_token(&answer.tape, at)->kind != JSON_OBJECT)
                continue;
            Member member = {number_of(&answer.tape, at, "id"),
                             member_name(shaper, &answer.tape, at),
                             number_of(&answer.tape, at, "flags") & SYMBOL_OPTIONAL};
            if (member.name)
                members[(*out_count)++] = member;
        }
    }
    tape_release(&answer.tape);
    return members;
}

static void add_members(Shaper *shaper, const Frame *frame, const Member *members, size_t count,
                        const Shape ***last)
{
    for (size_t i = 0; i < count && shaper->status == TN_OK; i++) {
        Type type = ask_type(shaper, "getTypeOfSymbol", "symbol", members[i].symbol);
        Shape *child = add_child(shaper, shape_of(shaper, frame, &type), last);
        if (!child)
            return;
        child->name = members[i].name;
        child->optional = members[i].optional;
        if (child->optional)
            take_undefined_out(child);
    }
}

static void add_index(Shaper *shaper, const Frame *frame, const Type *type, const Shape ***last)
{
    enum { INDEXES_MAX = 4 };
    Type values[INDEXES_MAX];
    size_t count = 0;
    Answer answer;

    ask(shaper, "getIndexInfosOfType", "type", type->id, &answer);
    if (answer.good && tape_token(&answer.tape, answer.result)->kind == JSON_ARRAY) {
        uint32_t end = tape_token(&answer.tape, answer.result)->next;
        for (uint32_t at = answer.result + 1; at < end && count < INDEXES_MAX;
             at = tape_token(&answer.tape, at)->next) {
            uint32_t value = tape_token(&answer.tape, at)->kind == JSON_OBJECT
                                 ? tape_member(&answer.tape, at, "valueType")
                                 : 0;
            if (value)
                values[count++] = type_at(shaper, &answer.tape, value);
        }
    }
    tape_release(&answer.tape);
    for (size_t i = 0; i < count; i++)
        (void)add_child(shaper, shape_of(shaper, frame, &values[i]), last);
}

/* ---- functions ---- */

/* The first signature of a type: its number, 0 if it has none. */
static uint32_t ask_signature(Shaper *shaper, const Type *type, uint32_t *out_flags)
{
    uint32_t id = 0;
    size_t mark;
    Answer answer = {.good = false};

    *out_flags = 0;
    if (shaper->status != TN_OK || shaper->left == 0)
        return 0;
    shaper->left--;
    Buf *out = begin(shaper, "getSignaturesOfType", &mark);
    buf_append_string(out, ",\"kind\":0,\"type\":");
    buf_append_uint(out, type->id);
    finish(shaper, mark, &answer);
    if (answer.good && tape_token(&answer.tape, answer.result)->kind == JSON_ARRAY &&
        tape_token(&answer.tape, answer.result)->length > 0) {
        id = number_of(&answer.tape, answer.result + 1, "id");
        *out_flags = number_of(&answer.tape, answer.result + 1, "flags");
    }
    tape_release(&answer.tape);
    return id;
}

static const Shape *shape_of_function(Shaper *shaper, const Frame *frame, uint32_t signature,
                                      uint32_t flags)
{
    Shape *shape = new_shape(shaper, SHAPE_FUNCTION, NULL);
    const Shape **last = shape ? &shape->first : NULL;
    size_t count;

    if (!shape)
        return &unknown_shape;
    Member *parameters =
        ask_members(shaper, "getParametersOfSignature", "objectId", signature, &count);
    add_members(shaper, frame, parameters, count, &last);
    for (const Shape *child = shape->first; child; child = child->next) {
        if (!child->next && (flags & SIGNATURE_REST))
            ((Shape *)(uintptr_t)child)->rest = true;
    }
    Type result = ask_type(shaper, "getReturnTypeOfSignature", "signature", signature);
    (void)add_child(shaper, shape_of(shaper, frame, &result), &last);
    return shape;
}

/* ---- what the library defines ---- */

typedef struct Known {
    const char *name;
    ShapeKind kind;
} Known;

static const Known known[] = {
    {"Array", SHAPE_ARRAY},
    {"ReadonlyArray", SHAPE_ARRAY},
    {"Promise", SHAPE_PROMISE},
    {"PromiseLike", SHAPE_PROMISE},
    {"Map", SHAPE_MAP},
    {"ReadonlyMap", SHAPE_MAP},
    {"Set", SHAPE_SET},
    {"ReadonlySet", SHAPE_SET},
    {"Date", SHAPE_INSTANCE},
    {"RegExp", SHAPE_INSTANCE},
    {"Error", SHAPE_INSTANCE},
    {"TypeError", SHAPE_INSTANCE},
    {"RangeError", SHAPE_INSTANCE},
    {"SyntaxError", SHAPE_INSTANCE},
    {"EvalError", SHAPE_INSTANCE},
    {"URIError", SHAPE_INSTANCE},
    {"AggregateError", SHAPE_INSTANCE},
    {"ReferenceError", SHAPE_INSTANCE},
    {"ArrayBuffer", SHAPE_INSTANCE},
    {"DataView", SHAPE_INSTANCE},
    {"Uint8Array", SHAPE_INSTANCE},
    {"Uint8ClampedArray", SHAPE_INSTANCE},
    {"Int8Array", SHAPE_INSTANCE},
    {"Uint16Array", SHAPE_INSTANCE},
    {"Int16Array", SHAPE_INSTANCE},
    {"Uint32Array", SHAPE_INSTANCE},
    {"Int32Array", SHAPE_INSTANCE},
    {"Float16Array", SHAPE_INSTANCE},
    {"Float32Array", SHAPE_INSTANCE},
    {"Float64Array", SHAPE_INSTANCE},
    {"BigInt64Array", SHAPE_INSTANCE},
    {"BigUint64Array", SHAPE_INSTANCE},
    {"URL", SHAPE_INSTANCE},
    {"URLSearchParams", SHAPE_INSTANCE},
};

static const Known *known_type(const char *text)
{
    size_t length = strcspn(text, "<");

    for (size_t i = 0; i < COUNT_OF(known); i++) {
        if (strlen(known[i].name) == length && memcmp(known[i].name, text, length) == 0)
            return &known[i];
    }
    return NULL;
}

static bool ends_with_brackets(const char *text)
{
    size_t length = strlen(text);

    return length > 2 && strcmp(text + length - 2, "[]") == 0;
}

/* ---- objects ---- */

static const Shape *shape_of_tuple(Shaper *shaper, const Frame *frame, const Type *type)
{
    enum { ELEMENTS_MAX = 64 };
    Shape *shape = new_shape(shaper, SHAPE_TUPLE, NULL);
    uint32_t flags[ELEMENTS_MAX] = {0};
    size_t count, index = 0;
    Answer answer;

    ask(shaper, "getTargetOfType", "objectId", type->id, &answer);
    uint32_t list = answer.good && tape_token(&answer.tape, answer.result)->kind == JSON_OBJECT
                        ? tape_member(&answer.tape, answer.result, "elementFlags")
                        : 0;
    if (list && tape_token(&answer.tape, list)->kind == JSON_ARRAY) {
        uint32_t end = tape_token(&answer.tape, list)->next;
        for (uint32_t at = list + 1; at < end && index < ELEMENTS_MAX; at++)
            flags[index++] = (uint32_t)tape_token(&answer.tape, at)->number;
    }
    tape_release(&answer.tape);
    Type *types = ask_types(shaper, "getTypeArguments", "type", type->id, &count);
    (void)with_children(shaper, frame, shape, types, count);
    index = 0;
    for (const Shape *at = shape ? shape->first : NULL; at && index < ELEMENTS_MAX; at = at->next) {
        Shape *child = (Shape *)(uintptr_t)at;
        child->optional = flags[index] & ELEMENT_OPTIONAL;
        child->rest = flags[index++] & ELEMENT_REST;
        if (child->optional)
            take_undefined_out(child);
    }
    return shape ? shape : &unknown_shape;
}

static const Shape *shape_of_parts(Shaper *shaper, const Frame *frame, const Type *type)
{
    uint32_t flags;
    size_t count;
    Member *members = ask_members(shaper, "getPropertiesOfType", "type", type->id, &count);

    if (count == 0) {
        uint32_t signature = ask_signature(shaper, type, &flags);
        if (signature)
            return shape_of_function(shaper, frame, signature, flags);
    }
    Shape *shape = new_shape(shaper, SHAPE_OBJECT, frame->name);
    const Shape **last = shape ? &shape->first : NULL;
    if (!shape)
        return &unknown_shape;
    add_members(shaper, frame, members, count, &last);
    add_index(shaper, frame, type, &last);
    return shape;
}

static const Shape *shape_of_object(Shaper *shaper, const Frame *around, const Type *type)
{
    const char *text = ask_text(shaper, type);
    bool reference = type->object_flags & OBJECT_REFERENCE;
    bool named = type->has_alias || (type->object_flags & OBJECT_NAMED) || reference;
    Frame frame = {around, type->id, named ? text : NULL, around ? around->depth + 1 : 0};
    const Known *library = known_type(text);
    size_t count;

    if (frame.depth >= DEPTH_MAX)
        return &unknown_shape;
    if (reference && (text[0] == '[' || strncmp(text, "readonly [", 10) == 0))
        return shape_of_tuple(shaper, &frame, type);
    if (reference && !library && ends_with_brackets(text))
        library = &known[0];
    if (library && library->kind == SHAPE_INSTANCE)
        return new_shape(shaper, SHAPE_INSTANCE, library->name);
    if (library && reference) {
        Type *types = ask_types(shaper, "getTypeArguments", "type", type->id, &count);
        size_t wanted = library->kind == SHAPE_MAP ? 2 : 1;
        return with_children(shaper, &frame, new_shape(shaper, library->kind, NULL), types,
                             count < wanted ? count : wanted);
    }
    return shape_of_parts(shaper, &frame, type);
}

/* ---- unions and the rest ---- */

static bool is_boolean(const Shape *a, const Shape *b)
{
    return a->kind == SHAPE_LITERAL && b && b->kind == SHAPE_LITERAL && a->text && b->text &&
           strcmp(a->text, "false") == 0 && strcmp(b->text, "true") == 0;
}

/* `false | true` among other members is boolean. */
static void join_booleans(Shape *shape)
{
    const Shape **link = &shape->first;

    for (; *link; link = (const Shape **)(uintptr_t) & (*link)->next) {
        if (!is_boolean(*link, (*link)->next))
            continue;
        Shape *joined = (Shape *)(uintptr_t)*link;
        joined->kind = SHAPE_BOOLEAN;
        joined->text = NULL;
        joined->next = joined->next->next;
        return;
    }
}

static const Shape *shape_of_union(Shaper *shaper, const Frame *around, const Type *type)
{
    Frame frame = {around, type->id, type->has_alias ? ask_text(shaper, type) : NULL,
                   around ? around->depth + 1 : 0};
    Shape *shape = new_shape(shaper, SHAPE_UNION, frame.name);
    size_t count;

    if (frame.depth >= DEPTH_MAX)
        return &unknown_shape;
    Type *types = ask_types(shaper, "getTypesOfType", "objectId", type->id, &count);
    (void)with_children(shaper, &frame, shape, types, count);
    if (shape)
        join_booleans(shape);
    return shape ? shape : &unknown_shape;
}

static const Shape *shape_of(Shaper *shaper, const Frame *around, const Type *type)
{
    static const struct {
        uint32_t flag;
        ShapeKind kind;
    } plain[] = {
        {TYPE_ANY, SHAPE_ANY},
        {TYPE_UNKNOWN, SHAPE_UNKNOWN},
        {TYPE_NEVER, SHAPE_NEVER},
        {TYPE_VOID, SHAPE_VOID},
        {TYPE_UNDEFINED, SHAPE_UNDEFINED},
        {TYPE_NULL, SHAPE_NULL},
        {TYPE_BOOLEAN, SHAPE_BOOLEAN},
        {TYPE_NUMBER, SHAPE_NUMBER},
        {TYPE_STRING | TYPE_TEMPLATES, SHAPE_STRING},
        {TYPE_BIGINT, SHAPE_BIGINT},
        {TYPE_SYMBOL | TYPE_UNIQUE_SYMBOL, SHAPE_SYMBOL},
        {TYPE_ANY_OBJECT, SHAPE_UNKNOWN},
    };

    if (type->literal)
        return new_shape(shaper, SHAPE_LITERAL, type->literal);
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        if (type->flags & plain[i].flag)
            return new_shape(shaper, plain[i].kind, NULL);
    }
    for (const Frame *frame = around; frame; frame = frame->around) {
        if (frame->id == type->id)
            return new_shape(shaper, SHAPE_AGAIN, frame->name);
    }
    if (type->flags & TYPE_UNION)
        return shape_of_union(shaper, around, type);
    if (type->flags & (TYPE_OBJECT | TYPE_INTERSECTION))
        return shape_of_object(shaper, around, type);
    if (type->flags & TYPE_PARAMETER) {
        Type bound = ask_type(shaper, "getBaseConstraintOfType", "type", type->id);
        if (bound.id != type->id && !(bound.flags & TYPE_PARAMETER))
            return shape_of(shaper, around, &bound);
    }
    return &unknown_shape;
}

/* ---- questions ---- */

static Type type_at_place(Shaper *shaper, uint32_t place)
{
    ShapeSession *session = shaper->session;
    Type type = {.flags = TYPE_ANY};
    size_t mark;
    Answer answer;
    size_t units = session->is_ascii ? place : utf8_units(session->job->text, place);

    Buf *out = begin(shaper, "getTypeAtPosition", &mark);
    buf_append_string(out, ",\"file\":");
    rpc_put_string(out, session->program, strlen(session->program));
    buf_append_string(out, ",\"position\":");
    buf_append_uint(out, units);
    finish(shaper, mark, &answer);
    if (answer.good)
        type = type_at(shaper, &answer.tape, answer.result);
    tape_release(&answer.tape);
    return type;
}

tn_status tsc_type_texts(ShapeSession *session, const uint32_t *places, size_t count,
                         const char **out_texts)
{
    Shaper shaper = {.session = session, .left = QUESTIONS_MAX};

    for (size_t i = 0; i < count && shaper.status == TN_OK; i++) {
        Type type = type_at_place(&shaper, places[i]);
        out_texts[i] = type.id ? ask_text(&shaper, &type) : NULL;
    }
    return shaper.status;
}

tn_status tsc_shapes(ShapeSession *session, ProviderReply *reply)
{
    Shaper shaper = {.session = session, .left = QUESTIONS_MAX};
    const ProviderJob *job = session->job;

    reply->shapes = ARENA_ARRAY(session->arena, const Shape *, job->question_count);
    if (!reply->shapes)
        return arena_status(session->arena);
    for (size_t i = 0; i < job->question_count && shaper.status == TN_OK; i++) {
        if (reply->diagnostics && !job->questions[i].always)
            continue;
        Type type = type_at_place(&shaper, job->questions[i].at);
        uint32_t flags;
        if (job->questions[i].returns) {
            uint32_t signature = ask_signature(&shaper, &type, &flags);
            type = signature ? ask_type(&shaper, "getReturnTypeOfSignature", "signature", signature)
                             : (Type){.flags = TYPE_ANY};
        }
        const Shape *shape = shape_of(&shaper, NULL, &type);
        if (job->questions[i].returns && shape && shape->kind == SHAPE_PROMISE && shape->first)
            shape = shape->first;
        reply->shapes[i] = shape ? shape : &unknown_shape;
    }
    return shaper.status;
}
