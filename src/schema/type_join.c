/* Types as texts: joined, with what is said twice said once. */
#include <string.h>

#include "type.h"

enum { UNION_COMPARED = 64 };

static const char any_object[] = "{ [key: string]: unknown }";

Type type_text(SchemaTypes *types, const char *text, TypeLevel level)
{
    Type type = {.text = text, .level = (uint8_t)level};

    if (text) {
        type.length = (uint32_t)strlen(text);
        type.lines = memchr(text, '\n', type.length) != NULL;
        types->spent += type.length;
    }
    return type;
}

Type type_from(SchemaTypes *types, Buf *buf, TypeLevel level)
{
    const char *text = NULL;

    if (buf_status(buf) == TN_OK)
        text = arena_text(types->arena, (const char *)buf->data, buf->length);
    else
        types->arena->failed = true;
    buf_release(buf);
    uint64_t spent = types->spent; /* its parts were counted */
    Type type = type_text(types, text, level);
    types->spent = spent;
    return type;
}

static bool join(SchemaTypes *types, Type *parts, uint32_t *count, const char *all,
                 const char *none)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < *count; i++) {
        bool again = !parts[i].text || type_is(parts[i], none);
        if (type_is(parts[i], all)) {
            parts[0] = parts[i];
            *count = 1;
            return false;
        }
        for (uint32_t j = 0; !again && j < kept && j < UNION_COMPARED; j++)
            again = parts[j].length == parts[i].length && type_is(parts[j], parts[i].text);
        if (!again)
            parts[kept++] = parts[i];
    }
    *count = kept;
    if (kept == 0)
        parts[0] = type_text(types, none, LEVEL_UNIT);
    return kept > 1;
}

static Type joined(SchemaTypes *types, const Type *parts, uint32_t count, TypeLevel level)
{
    Buf buf;

    buf_init(&buf, types->arena->allocator, SIZE_MAX);
    for (uint32_t i = 0; i < count; i++) {
        bool wrapped = parts[i].level > level;
        if (i > 0)
            buf_append_string(&buf, level == LEVEL_UNION ? " | " : " & ");
        buf_append_string(&buf, wrapped ? "(" : "");
        buf_append(&buf, parts[i].text, parts[i].length);
        buf_append_string(&buf, wrapped ? ")" : "");
    }
    return type_from(types, &buf, level);
}

Type type_union(SchemaTypes *types, Type *parts, uint32_t count)
{
    return join(types, parts, &count, "unknown", "never") ? joined(types, parts, count, LEVEL_UNION)
                                                          : parts[0];
}

/* That it is an object goes without saying beside an object type. */
static void drop_any_object(Type *parts, uint32_t *count)
{
    uint32_t kept = 0, shaped = 0;

    for (uint32_t i = 0; i < *count; i++)
        shaped += parts[i].text && parts[i].text[0] == '{' && !type_is(parts[i], any_object);
    for (uint32_t i = 0; i < *count; i++) {
        if (shaped == 0 || !type_is(parts[i], any_object))
            parts[kept++] = parts[i];
    }
    *count = kept;
}

Type type_intersection(SchemaTypes *types, Type *parts, uint32_t count)
{
    drop_any_object(parts, &count);
    return join(types, parts, &count, "never", "unknown")
               ? joined(types, parts, count, LEVEL_INTERSECTION)
               : parts[0];
}
