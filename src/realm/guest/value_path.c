/* Where in a value something is: `result.rows[3].save`. */
#include <stdio.h>
#include <string.h>

#include "value_parts.h"

enum { STEP_TEXT = 128, QUOTED_TEXT = 96, KEY_TEXT = 40 };

static bool is_name(const char *text)
{
    if (*text >= '0' && *text <= '9')
        return false;
    for (const char *at = text; *at; at++) {
        bool word = (*at >= 'a' && *at <= 'z') || (*at >= 'A' && *at <= 'Z') ||
                    (*at >= '0' && *at <= '9') || *at == '_' || *at == '$';
        if (!word)
            return false;
    }
    return *text != '\0';
}

/* Quoted, what a terminal would obey made visible, and no longer than fits a message. */
static void quote(const char *text, size_t length, bool cut, char out[QUOTED_TEXT])
{
    size_t at = 0;

    out[at++] = '"';
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)text[i];
        /* Ended between characters: a continuation byte still goes in. */
        if (at >= QUOTED_TEXT - 14 && (byte & 0xC0) != 0x80) {
            cut = true;
            break;
        }
        if (byte == '"' || byte == '\\')
            out[at++] = '\\';
        if (byte < 0x20 || byte == 0x7F)
            at += (size_t)snprintf(out + at, QUOTED_TEXT - at, "\\x%02x", byte);
        else
            out[at++] = (char)byte;
    }
    snprintf(out + at, QUOTED_TEXT - at, "%s\"", cut ? "..." : "");
}

static void key_step(JSContext *ctx, JSAtom key, char out[STEP_TEXT])
{
    char text[KEY_TEXT], quoted[QUOTED_TEXT];
    size_t length = key_copy(ctx, key, text, sizeof text);
    bool cut = key_size(ctx, key).bytes > length;

    if (!cut && strlen(text) == length && is_name(text)) {
        snprintf(out, STEP_TEXT, ".%s", text);
        return;
    }
    quote(text, length, cut, quoted);
    snprintf(out, STEP_TEXT, "[%s]", quoted);
}

static void map_step(JSContext *ctx, const Step *step, char out[STEP_TEXT])
{
    char text[KEY_TEXT], quoted[QUOTED_TEXT];
    InsideKind kind = inside_kind(step->map_key);

    if (kind == INSIDE_STRING) {
        size_t length = text_copy(step->map_key, text, sizeof text);
        quote(text, length, length + 4 >= sizeof text, quoted);
        snprintf(out, STEP_TEXT, ".get(%s)", quoted);
    } else if (kind < INSIDE_STRING) {
        text_show(ctx, step->map_key, text, sizeof text);
        snprintf(out, STEP_TEXT, ".get(%s)", text);
    } else {
        snprintf(out, STEP_TEXT, ".<value %u of the Map>", step->index);
    }
}

static void step_text(JSContext *ctx, const Step *step, char out[STEP_TEXT])
{
    switch (step->kind) {
    case STEP_KEY:
        key_step(ctx, step->key, out);
        break;
    case STEP_INDEX:
        snprintf(out, STEP_TEXT, "[%u]", step->index);
        break;
    case STEP_MAP_VALUE:
        map_step(ctx, step, out);
        break;
    case STEP_MAP_KEY:
        snprintf(out, STEP_TEXT, ".<key %u of the Map>", step->index);
        break;
    case STEP_SET_ITEM:
        snprintf(out, STEP_TEXT, ".<item %u of the Set>", step->index);
        break;
    }
}

void path_write(JSContext *ctx, const char *root, const Step *step, char *out, size_t size)
{
    char text[STEP_TEXT];
    int written = snprintf(out, size, "%s", root);
    size_t start = written < 0 ? 0 : (size_t)written < size ? (size_t)written : size - 1;
    size_t end = size - 1;

    /* From the part back to the root, filling from the right; then moved to its place. */
    while (step) {
        step_text(ctx, step, text);
        size_t length = strlen(text);
        size_t keep = step->up ? 3 : 0; /* for the dots, should the next not fit */
        if (end < start + length + keep)
            break;
        end -= length;
        memcpy(out + end, text, length);
        step = step->up;
    }
    if (step && end >= start + 3) {
        memcpy(out + start, "...", 3);
        start += 3;
    } else if (step == NULL && strchr(root, ' ') && end < size - 1 && end >= start + 4) {
        /* "argument 1 of f.g.x" would read as one name: "argument 1 of f.g at x". */
        if (out[end] == '.')
            end++;
        memcpy(out + start, " at ", 4);
        start += 4;
    }
    memmove(out + start, out + end, size - 1 - end);
    out[start + (size - 1 - end)] = '\0';
}
