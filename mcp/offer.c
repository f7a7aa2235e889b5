/* What a configuration offers beside tools: prompts, resources, templates, completions. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

static void list(const Request *request, ItemKind kind, const char *name, const char *first)
{
    const DoorConfig *config = request->door->options.config;
    tn_writer *writer = result_begin(request);

    if (writer) {
        tn_put_key(writer, name);
        tn_put_array_begin(writer);
        if (first && tn_put_json(writer, first, strlen(first)) != TN_OK)
            tn_put_null(writer);
        for (size_t i = 0; config && i < config->count; i++) {
            if (config->items[i].kind == kind)
                put_item(writer, &config->items[i]);
        }
        tn_put_array_end(writer);
        put_lifetime(request, writer, 60000);
    }
    result_end(request, writer);
}

void prompts_list(const Request *request)
{
    list(request, ITEM_PROMPT, "prompts", NULL);
}

void templates_list(const Request *request)
{
    list(request, ITEM_TEMPLATE, "resourceTemplates",
         "{\"uriTemplate\":\"tenon://run/{number}/value{?from,bytes}\",\"name\":\"value\","
         "\"description\":\"The whole value of a run, as JSON, from a byte on.\","
         "\"mimeType\":\"application/json\"}");
}

/* ---- prompts ---- */

/* NULL: they fit; else the one that does not. */
static const char *wrong_argument(const Item *item, tn_value arguments, size_t *out_length)
{
    for (tn_cursor cursor = {0};
         tn_value_next(tn_value_member(item->about, "arguments"), &cursor);) {
        const char *name = member_text(cursor.value, "name", out_length);
        char *key = name ? strndup(name, *out_length) : NULL;
        tn_type type = key ? tn_value_type(tn_value_member(arguments, key)) : TN_TYPE_NONE;
        free(key);
        if (type != TN_TYPE_TEXT &&
            (type != TN_TYPE_NONE || tn_value_bool(tn_value_member(cursor.value, "required"))))
            return name;
    }
    return NULL;
}

void prompts_get(Request *request)
{
    size_t length;
    const char *name = member_text(request->params, "name", &length);
    tn_value arguments = tn_value_member(request->params, "arguments");
    Item *item = item_find(request->door, ITEM_PROMPT, name, length);
    char text[200];

    if (!item) {
        answer_error(request, WRONG_PARAMS, "there is no such prompt");
        return;
    }
    const char *wrong = wrong_argument(item, arguments, &length);
    if (wrong) {
        (void)snprintf(text, sizeof text, "the argument %.*s must be there and be a text",
                       length < 100 ? (int)length : 100, wrong);
        answer_error(request, WRONG_PARAMS, text);
    } else {
        item_begin(request, item, arguments);
    }
}

/* ---- resources ---- */

void put_contents(const Request *request, const Item *item, Contents contents)
{
    tn_writer *writer = result_begin(request);
    size_t length;
    const char *type = member_text(item->about, "mimeType", &length);
    char *blob = contents.bytes ? base64_of(contents.bytes, contents.length) : NULL;

    if (writer) {
        tn_put_key(writer, "contents");
        tn_put_array_begin(writer);
        tn_put_object_begin(writer);
        put_text_of(writer, "uri", contents.uri, contents.uri_length);
        if (type)
            put_text_of(writer, "mimeType", type, length);
        if (blob)
            put_text(writer, "blob", blob);
        else
            put_text_of(writer, "text", contents.text ? contents.text : "",
                        contents.text ? contents.length : 0);
        tn_put_object_end(writer);
        tn_put_array_end(writer);
        put_lifetime(request, writer, 0);
    }
    result_end(request, writer);
    free(blob);
}

static bool is_utf8(const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        unsigned char c = (unsigned char)text[i++];
        unsigned more = c < 0x80 ? 0 : c >= 0xF0 ? 3 : c >= 0xE0 ? 2 : 1;
        if (c == 0 || (c >= 0x80 && c < 0xC2) || c > 0xF4)
            return false;
        for (; more > 0; more--, i++) {
            if (i >= length || ((unsigned char)text[i] & 0xC0) != 0x80)
                return false;
        }
    }
    return true;
}

/* A file is read when it is asked for. */
static void read_file(const Request *request, const Item *item)
{
    enum { MOST = 8 << 20 };
    FILE *file = fopen(item->path, "re");
    char *bytes = file ? malloc(MOST + 1) : NULL;
    size_t length = bytes ? fread(bytes, 1, MOST + 1, file) : 0;
    bool good = bytes && !ferror(file) && length <= MOST;

    if (file)
        (void)fclose(file);
    if (!good)
        answer_error_about(request, WRONG_INSIDE, "its file cannot be read", "uri", item->name,
                           item->name_length);
    else if (is_utf8(bytes, length))
        put_contents(request, item, (Contents){item->name, item->name_length, bytes, NULL, length});
    else
        put_contents(request, item, (Contents){item->name, item->name_length, NULL, bytes, length});
    free(bytes);
}

static void read_static(const Request *request, const Item *item)
{
    size_t length;
    const char *text = member_text(item->about, "text", &length);
    Contents contents = {item->name, item->name_length, text, NULL, length};

    if (text) {
        put_contents(request, item, contents);
        return;
    }
    const char *encoded = member_text(item->about, "base64", &length);
    char *bytes = malloc(length + 1);
    ssize_t got = bytes ? base64_read(encoded, length, bytes) : -1;
    if (got < 0) {
        answer_error(request, WRONG_INSIDE, "it is no base64");
    } else {
        contents.bytes = bytes;
        contents.length = (size_t)got;
        put_contents(request, item, contents);
    }
    free(bytes);
}

static int hex(char c)
{
    static const char digits[] = "0123456789abcdefABCDEF";
    const char *at = c ? strchr(digits, c) : NULL;

    return !at ? -1 : at - digits < 16 ? (int)(at - digits) : (int)(at - digits) - 6;
}

static void put_decoded(tn_writer *writer, const char *text, size_t length)
{
    char *plain = malloc(length + 1);
    size_t at = 0;

    for (size_t i = 0; plain && i < length; i++) {
        bool escaped =
            text[i] == '%' && i + 2 < length + 0 && hex(text[i + 1]) >= 0 && hex(text[i + 2]) >= 0;
        plain[at++] = escaped ? (char)(hex(text[i + 1]) * 16 + hex(text[i + 2])) : text[i];
        i += escaped ? 2 : 0;
    }
    tn_put_text(writer, plain ? plain : "", at);
    free(plain);
}

/* Does an address fit "scheme://{name}/rest"? A name stands for one segment, {+name} for several.
 * What it stands for is put if there is a writer. */
static bool matches(const char *pattern, size_t pattern_length, const char *uri, size_t length,
                    tn_writer *writer)
{
    const char *close;
    char name[64];

    while (pattern_length > 0 && *pattern != '{') {
        if (length == 0 || *uri != *pattern)
            return false;
        pattern++, pattern_length--, uri++, length--;
    }
    if (pattern_length == 0)
        return length == 0;
    close = memchr(pattern, '}', pattern_length);
    if (!close)
        return false;
    bool several = pattern[1] == '+';
    const char *from = pattern + 1 + several;
    size_t rest = pattern_length - (size_t)(close + 1 - pattern);
    (void)snprintf(name, sizeof name, "%.*s", (int)(close - from), from);
    for (size_t taken = 1; taken <= length && (several || uri[taken - 1] != '/'); taken++) {
        if (!matches(close + 1, rest, uri + taken, length - taken, NULL))
            continue;
        if (writer) {
            tn_put_key(writer, name);
            put_decoded(writer, uri, taken);
            return matches(close + 1, rest, uri + taken, length - taken, writer);
        }
        return true;
    }
    return false;
}

static bool read_template(Request *request, const char *uri, size_t length)
{
    const DoorConfig *config = request->door->options.config;
    tn_writer *variables = NULL;

    for (size_t i = 0; config && i < config->count; i++) {
        Item *item = &config->items[i];
        if (item->kind != ITEM_TEMPLATE || length > 2000 ||
            !matches(item->name, item->name_length, uri, length, NULL))
            continue;
        if (tn_writer_new(&variables) != TN_OK)
            return false;
        tn_put_object_begin(variables);
        (void)matches(item->name, item->name_length, uri, length, variables);
        tn_put_object_end(variables);
        item_begin(request, item, tn_writer_value(variables));
        tn_writer_free(variables);
        return true;
    }
    return false;
}

bool resource_item(Request *request, const char *uri, size_t length)
{
    Item *item = item_find(request->door, ITEM_RESOURCE, uri, length);

    if (!item)
        return uri && read_template(request, uri, length);
    if (item->code)
        item_begin(request, item, (tn_value){0});
    else
        (item->path ? read_file : read_static)(request, item);
    return true;
}

/* ---- completions ---- */

/* The list of values that an argument of a prompt or a name of a template may have. */
static tn_value values_of(const Item *item, const char *name, size_t length)
{
    if (item->kind == ITEM_TEMPLATE) {
        char *key = strndup(name, length);
        tn_value values = tn_value_member(tn_value_member(item->about, "values"), key ? key : "");
        free(key);
        return values;
    }
    for (tn_cursor cursor = {0};
         tn_value_next(tn_value_member(item->about, "arguments"), &cursor);) {
        size_t got;
        const char *text = member_text(cursor.value, "name", &got);
        if (got == length && text && memcmp(text, name, got) == 0)
            return tn_value_member(cursor.value, "values");
    }
    return (tn_value){0};
}

static int64_t put_values(tn_writer *writer, tn_value values, const char *begun, size_t length)
{
    enum { MOST = 100 };
    int64_t count = 0;

    for (tn_cursor cursor = {0}; tn_value_next(values, &cursor);) {
        size_t got = 0;
        const char *text = tn_value_text(cursor.value, &got);
        if (!text || got < length || strncasecmp(text, begun, length) != 0)
            continue;
        if (count++ < MOST)
            tn_put_value(writer, cursor.value);
    }
    return count;
}

void complete(const Request *request)
{
    tn_value ref = tn_value_member(request->params, "ref");
    tn_value argument = tn_value_member(request->params, "argument");
    size_t type_length, length, name_length, begun_length;
    const char *type = member_text(ref, "type", &type_length);
    bool prompt = text_is(type, type_length, "ref/prompt");
    const char *which = member_text(ref, prompt ? "name" : "uri", &length);
    const char *name = member_text(argument, "name", &name_length);
    const char *begun = member_text(argument, "value", &begun_length);
    const Item *item =
        item_find(request->door, prompt ? ITEM_PROMPT : ITEM_TEMPLATE, which, length);
    tn_writer *writer;

    if (!item || !name || !begun) {
        answer_error(request, WRONG_PARAMS, "there is nothing of that name to complete");
        return;
    }
    writer = result_begin(request);
    if (writer) {
        tn_put_key(writer, "completion");
        tn_put_object_begin(writer);
        tn_put_key(writer, "values");
        tn_put_array_begin(writer);
        int64_t count = put_values(writer, values_of(item, name, name_length), begun, begun_length);
        tn_put_array_end(writer);
        tn_put_key(writer, "total");
        tn_put_int(writer, count);
        tn_put_key(writer, "hasMore");
        tn_put_bool(writer, count > 100);
        tn_put_object_end(writer);
    }
    result_end(request, writer);
}

void set_level(const Request *request)
{
    size_t length;
    const char *text = member_text(request->params, "level", &length);
    int level = log_level(text, length);

    if (level < 0) {
        answer_error(request, WRONG_PARAMS, "there is no such level");
        return;
    }
    request->sink->peer->log_level = level;
    result_end(request, result_begin(request));
}
