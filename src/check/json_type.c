/* Values that stand in the same place (the elements of an array, the same member of all of them)
 * are looked at together: what they are is a set of kinds, and of the objects among them the
 * members are joined. */
#include "json_type.h"

#include <string.h>

#include "base.h"
#include "contract.h"

enum {
    DEPTH_MAX = 12,    /* deeper, it is `any` */
    MEMBERS_MAX = 100, /* an object with more is a table */
    VALUES_MAX = 200,  /* of an array are looked at */
};

typedef enum Kind {
    KIND_NULL = 1 << 0,
    KIND_BOOLEAN = 1 << 1,
    KIND_NUMBER = 1 << 2,
    KIND_STRING = 1 << 3,
    KIND_ARRAY = 1 << 4,
    KIND_OBJECT = 1 << 5,
    KIND_UNDEFINED = 1 << 6,
    KIND_FORM = 1 << 7, /* a `$type` form with a type of its own */
} Kind;

typedef struct Values {
    uint32_t at[VALUES_MAX];
    size_t count;
} Values;

typedef struct Writer {
    Buf *out;
    const Tape *tape;
    const JsonTable *tables;
} Writer;

static void put(const Writer *writer, const Values *values, unsigned depth);

/* ---- `$type` forms ---- */

static const struct {
    const char *form;
    const char *type;
} forms[] = {
    {"number", "number"},     {"bigint", "bigint"}, {"date", "Date"},
    {"map", "Map<any, any>"}, {"set", "Set<any>"},  {"bytes", "Uint8Array"},
    {"regexp", "RegExp"},     {"error", "Error"},   {"text", "string"},
    {"circular", "any"},      {"reference", "any"}, {"object", "Record<string, any>"},
};

/* `undefined` is its own kind. */
const char *json_type_form(const Tape *tape, uint32_t object)
{
    uint32_t type = tape_member(tape, object, "$type");

    if (!type || tape_token(tape, type)->kind != JSON_STRING)
        return NULL;
    for (size_t i = 0; i < COUNT_OF(forms); i++) {
        if (tape_is(tape, tape_token(tape, type), forms[i].form))
            return forms[i].type;
    }
    return tape_is(tape, tape_token(tape, type), "undefined") ? "undefined" : "any";
}

static Kind kind_of(const Tape *tape, uint32_t at)
{
    switch ((JsonKind)tape_token(tape, at)->kind) {
    case JSON_NULL:
        return KIND_NULL;
    case JSON_FALSE:
    case JSON_TRUE:
        return KIND_BOOLEAN;
    case JSON_NUMBER:
        return KIND_NUMBER;
    case JSON_STRING:
        return KIND_STRING;
    case JSON_ARRAY:
        return KIND_ARRAY;
    default: {
        const char *form = json_type_form(tape, at);
        return !form ? KIND_OBJECT : strcmp(form, "undefined") == 0 ? KIND_UNDEFINED : KIND_FORM;
    }
    }
}

/* ---- arrays and objects ---- */

static void put_array(const Writer *writer, const Values *values, unsigned depth)
{
    Values elements = {.count = 0};

    for (size_t i = 0; i < values->count; i++) {
        if (kind_of(writer->tape, values->at[i]) != KIND_ARRAY)
            continue;
        uint32_t end = tape_token(writer->tape, values->at[i])->next;
        for (uint32_t at = values->at[i] + 1; at < end && elements.count < VALUES_MAX;
             at = tape_token(writer->tape, at)->next)
            elements.at[elements.count++] = at;
    }
    buf_append_string(writer->out, "Array<");
    if (elements.count == 0)
        buf_append_string(writer->out, "any");
    else
        put(writer, &elements, depth + 1);
    buf_append_byte(writer->out, '>');
}

typedef struct Members {
    uint32_t names[MEMBERS_MAX]; /* the name's token, where it was first met */
    size_t count;
    bool many; /* more than that */
} Members;

static bool same_name(const Tape *tape, uint32_t a, uint32_t b)
{
    const JsonToken *one = tape_token(tape, a), *other = tape_token(tape, b);

    return one->length == other->length &&
           memcmp(tape_text(tape, one), tape_text(tape, other), one->length) == 0;
}

static void collect(const Tape *tape, uint32_t object, Members *members)
{
    uint32_t end = tape_token(tape, object)->next;

    for (uint32_t at = object + 1; at < end; at = tape_token(tape, at + 1)->next) {
        size_t i = 0;
        while (i < members->count && !same_name(tape, members->names[i], at))
            i++;
        if (i < members->count)
            continue;
        if (members->count == MEMBERS_MAX) {
            members->many = true;
            return;
        }
        members->names[members->count++] = at;
    }
}

/* The values that the objects have under one name; false if one of them has none. */
static bool gather(const Writer *writer, const Values *values, uint32_t name, Values *out_values)
{
    const Tape *tape = writer->tape;
    bool all = true;

    out_values->count = 0;
    for (size_t i = 0; i < values->count; i++) {
        if (kind_of(tape, values->at[i]) != KIND_OBJECT)
            continue;
        uint32_t end = tape_token(tape, values->at[i])->next, found = 0;
        for (uint32_t at = values->at[i] + 1; at < end; at = tape_token(tape, at + 1)->next)
            found = same_name(tape, at, name) ? at + 1 : found;
        if (found)
            out_values->at[out_values->count++] = found;
        all &= found != 0;
    }
    return all;
}

/* A name between quotes: what JSON allows in a string, TypeScript does too. */
static void put_quoted(Buf *out, const Tape *tape, uint32_t name)
{
    const JsonToken *token = tape_token(tape, name);
    const char *text = tape_text(tape, token);

    buf_append_byte(out, '"');
    for (uint32_t i = 0; i < token->length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            buf_append_byte(out, '\\');
        if (c < 0x20) {
            static const char hex[] = "0123456789abcdef";
            char escape[6] = {'\\', 'u', '0', '0', hex[c >> 4], hex[c & 15]};
            buf_append(out, escape, sizeof escape);
        } else {
            buf_append_byte(out, c);
        }
    }
    buf_append_byte(out, '"');
}

/* ---- tables ---- */

/* Past a string, or past what is in brackets, up to the `;` that ends a member. */
static const char *skip_member(const char *at)
{
    int depth = 0;

    for (; *at; at++) {
        if (*at == '"' || *at == '\'' || *at == '`') {
            char quote = *at++;
            while (*at && *at != quote)
                at += *at == '\\' && at[1] ? 2 : 1;
            if (!*at)
                break;
            continue;
        }
        if (*at == ';' && depth == 0)
            return at + 1;
        depth += *at == '{' || *at == '(' || *at == '[';
        depth -= *at == '}' || *at == ')' || *at == ']';
        if (depth < 0)
            break;
    }
    return at;
}

/* `a`, `"a b"`, before `:` or `?:`. NULL if there is none. */
static const char *read_name(Arena *arena, const char *at)
{
    size_t length = *at == '"' ? strcspn(at + 1, "\"\\") : strcspn(at, " ?:;}[(\\");
    const char *after = *at == '"' ? at + length + 2 : at + length;

    if (*at == '"' && at[length + 1] != '"')
        return NULL;
    return *after == ':' || (*after == '?' && after[1] == ':')
               ? arena_text(arena, at + (*at == '"'), length)
               : NULL;
}

JsonTable *json_table_read(Arena *arena, const char *type)
{
    JsonTable *table = ARENA_NEW(arena, JsonTable);
    const char *at = type + 1;

    if (!table || type[0] != '{')
        return NULL;
    table->names = ARENA_ARRAY(arena, const char *, MEMBERS_MAX + 1);
    while (table->names && table->count < MEMBERS_MAX) {
        at += strspn(at, " ");
        if (*at == '}')
            return table->count > 0 && at[1] == '\0' ? table : NULL;
        const char *name = read_name(arena, at);
        if (!name) {
            table->cut = strncmp(at, "...", 3) == 0 && table->count > 0;
            return table->cut ? table : NULL;
        }
        table->names[table->count++] = name;
        at = skip_member(at);
    }
    return NULL;
}

static bool is_table(const Writer *writer, const Members *members)
{
    for (const JsonTable *table = writer->tables; table; table = table->next) {
        bool same = table->cut ? table->count <= members->count : table->count == members->count;
        for (size_t i = 0; same && i < table->count; i++) {
            const JsonToken *name = tape_token(writer->tape, members->names[i]);
            same = strlen(table->names[i]) == name->length &&
                   memcmp(table->names[i], tape_text(writer->tape, name), name->length) == 0;
        }
        if (same)
            return true;
    }
    return false;
}

/* `[key: string]: ` and what all members are together. */
static void put_index(const Writer *writer, const Values *values, unsigned depth)
{
    Values inside = {.count = 0};

    for (size_t i = 0; i < values->count; i++) {
        if (kind_of(writer->tape, values->at[i]) != KIND_OBJECT)
            continue;
        uint32_t end = tape_token(writer->tape, values->at[i])->next;
        for (uint32_t at = values->at[i] + 1; at < end && inside.count < VALUES_MAX;
             at = tape_token(writer->tape, at + 1)->next)
            inside.at[inside.count++] = at + 1;
    }
    buf_append_string(writer->out, "[key: string]: ");
    put(writer, &inside, depth + 1);
    buf_append_string(writer->out, "; ");
}

static void put_object(const Writer *writer, const Values *values, unsigned depth)
{
    Members members = {.count = 0};
    Values inside;

    for (size_t i = 0; i < values->count && !members.many; i++) {
        if (kind_of(writer->tape, values->at[i]) == KIND_OBJECT)
            collect(writer->tape, values->at[i], &members);
    }
    /* an empty one is an example of nothing */
    if (members.many || members.count == 0) {
        buf_append_string(writer->out, "Record<string, any>");
        return;
    }
    buf_append_string(writer->out, "{ ");
    if (is_table(writer, &members))
        put_index(writer, values, depth);
    for (size_t i = 0; i < members.count; i++) {
        bool all = gather(writer, values, members.names[i], &inside);
        put_quoted(writer->out, writer->tape, members.names[i]);
        buf_append_string(writer->out, all ? ": " : "?: ");
        put(writer, &inside, depth + 1);
        buf_append_string(writer->out, "; ");
    }
    buf_append_byte(writer->out, '}');
}

/* ---- all kinds ---- */

static void put_forms(const Writer *writer, const Values *values, const char *between)
{
    for (size_t form = 0; form < COUNT_OF(forms); form++) {
        bool met = false;
        for (size_t i = 0; i < values->count && !met; i++) {
            const char *type = kind_of(writer->tape, values->at[i]) == KIND_FORM
                                   ? json_type_form(writer->tape, values->at[i])
                                   : NULL;
            met = type && strcmp(type, forms[form].type) == 0;
        }
        if (!met)
            continue;
        buf_append_string(writer->out, between);
        buf_append_string(writer->out, forms[form].type);
        between = " | ";
    }
}

static void put(const Writer *writer, const Values *values, unsigned depth)
{
    static const struct {
        Kind kind;
        const char *type;
    } plain[] = {
        {KIND_STRING, "string"}, {KIND_NUMBER, "number"},       {KIND_BOOLEAN, "boolean"},
        {KIND_NULL, "null"},     {KIND_UNDEFINED, "undefined"},
    };
    unsigned kinds = 0;
    const char *between = "";

    for (size_t i = 0; i < values->count; i++)
        kinds |= kind_of(writer->tape, values->at[i]);
    /* one example that says nothing of what else may stand there */
    if (depth >= DEPTH_MAX || (kinds & ~(unsigned)(KIND_NULL | KIND_UNDEFINED)) == 0) {
        buf_append_string(writer->out, "any");
        return;
    }
    if (kinds & KIND_OBJECT) {
        put_object(writer, values, depth);
        between = " | ";
    }
    if (kinds & KIND_ARRAY) {
        buf_append_string(writer->out, between);
        put_array(writer, values, depth);
        between = " | ";
    }
    for (size_t i = 0; i < COUNT_OF(plain); i++) {
        if (!(kinds & plain[i].kind))
            continue;
        buf_append_string(writer->out, between);
        buf_append_string(writer->out, plain[i].type);
        between = " | ";
    }
    if (kinds & KIND_FORM)
        put_forms(writer, values, between);
}

void json_type_put(Buf *out, const Tape *tape, uint32_t token, const JsonTable *tables)
{
    Writer writer = {out, tape, tables};
    Values values = {.at = {token}, .count = 1};

    put(&writer, &values, 0);
}

tn_status contract_type_of_json(Arena *arena, const char *json, size_t length,
                                const JsonTable *tables, const char **out_type)
{
    Tape tape;
    Buf out;
    tn_status status = tape_read(&tape, arena->allocator, json, length);

    buf_init(&out, arena->allocator, (size_t)1 << 20);
    if (status == TN_OK) {
        json_type_put(&out, &tape, 0, tables);
        status = buf_status(&out);
    }
    if (status == TN_OK) {
        *out_type = arena_text(arena, (const char *)out.data, out.length);
        status = arena_status(arena);
    }
    buf_release(&out);
    tape_release(&tape);
    return status;
}
