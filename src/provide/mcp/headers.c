/* Headers that mirror parts of a call, since 2026-07-28: the tool's name, and the arguments whose
 * schema asks for it ("x-mcp-header": "Region" gives "Mcp-Param-Region: ..."). */
#include <stdio.h>
#include <strings.h>

#include "http.h"
#include "plain_json.h"

enum { DEPTH_MOST = 16, MIRRORED_MOST = 64, VALUE_MOST = 2048 };

static const char annotation[] = "x-mcp-header";

/* ---- what a schema asks for ---- */

typedef struct Survey {
    const char *names[MIRRORED_MOST];
    size_t lengths[MIRRORED_MOST];
    size_t count;
    bool bad;
} Survey;

static bool is_token(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        char c = text[i];
        bool word = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (!word && (c == '\0' || !strchr("!#$%&'*+-.^_`|~", c)))
            return false;
    }
    return length > 0;
}

static bool is_mirrored_type(tn_value type)
{
    size_t length;
    const char *text = tn_value_text(type, &length);

    return text && ((length == 6 && memcmp(text, "string", 6) == 0) ||
                    (length == 7 && memcmp(text, "integer", 7) == 0) ||
                    (length == 7 && memcmp(text, "boolean", 7) == 0));
}

static void take_annotation(Survey *survey, tn_value schema, tn_value name)
{
    size_t length;
    const char *text = tn_value_text(name, &length);

    if (!text || !is_token(text, length) || survey->count == MIRRORED_MOST ||
        !is_mirrored_type(tn_value_member(schema, "type"))) {
        survey->bad = true;
        return;
    }
    for (size_t i = 0; i < survey->count; i++) {
        if (survey->lengths[i] == length && strncasecmp(survey->names[i], text, length) == 0)
            survey->bad = true;
    }
    survey->names[survey->count] = text;
    survey->lengths[survey->count++] = length;
}

/* Annotations may stand in the root's properties, and theirs, and nowhere else. `reach`: this is
 * such a place. */
static void survey_schema(Survey *survey, tn_value schema, bool reach, unsigned depth);

static void survey_properties(Survey *survey, tn_value properties, bool reach, unsigned depth)
{
    tn_cursor cursor = {0};

    while (!survey->bad && tn_value_next(properties, &cursor))
        survey_schema(survey, cursor.value, reach, depth + 1);
}

static void survey_schema(Survey *survey, tn_value schema, bool reach, unsigned depth)
{
    tn_cursor cursor = {0};
    size_t length;

    if (depth > 200 || survey->bad)
        return;
    while (!survey->bad && tn_value_next(schema, &cursor)) {
        const char *key = tn_value_text(cursor.key, &length);
        tn_type type = tn_value_type(cursor.value);
        if (key && length == sizeof annotation - 1 && memcmp(key, annotation, length) == 0) {
            if (reach && depth > 0)
                take_annotation(survey, schema, cursor.value);
            else
                survey->bad = true;
        } else if (key && length == 10 && memcmp(key, "properties", 10) == 0) {
            survey_properties(survey, cursor.value, reach && depth < DEPTH_MOST, depth);
        } else if (type == TN_TYPE_OBJECT || type == TN_TYPE_ARRAY) {
            survey_schema(survey, cursor.value, false, depth + 1);
        }
    }
}

bool headers_wanted(tn_value tool, bool *out_good)
{
    Survey survey = {0};

    survey_schema(&survey, tn_value_member(tool, "inputSchema"), true, 0);
    *out_good = !survey.bad;
    return survey.count > 0;
}

/* ---- what a call sends ---- */

/* As it is where a header can hold it; else, and where it looks as if it were encoded, encoded. */
static void add_header(Exchange *exchange, const char *name, size_t name_length, const char *text,
                       size_t length)
{
    bool plain = length > 0 && text[0] != ' ' && text[length - 1] != ' ' &&
                 !(length >= 9 && strncasecmp(text, "=?base64?", 9) == 0);
    Buf encoded;

    for (size_t i = 0; plain && i < length; i++)
        plain = (unsigned char)text[i] >= 0x20 && (unsigned char)text[i] < 0x7f;
    if (plain) {
        exchange_header(exchange, "%.*s: %.*s", (int)name_length, name, (int)length, text);
        return;
    }
    buf_init(&encoded, &exchange->client->allocator, VALUE_MOST * 2);
    plain_json_base64(&encoded, (const uint8_t *)text, length);
    exchange_header(exchange, "%.*s: =?base64?%.*s?=", (int)name_length, name, (int)encoded.length,
                    (const char *)encoded.data);
    buf_release(&encoded);
}

static void mirror_one(Exchange *exchange, tn_value name, tn_value argument)
{
    char header[128], number[32];
    size_t length, text_length;
    const char *text = tn_value_text(name, &length);
    int64_t integer;

    if (!text || length > 100)
        return;
    snprintf(header, sizeof header, "Mcp-Param-%.*s", (int)length, text);
    if (tn_value_type(argument) == TN_TYPE_BOOL) {
        exchange_header(exchange, "%s: %s", header, tn_value_bool(argument) ? "true" : "false");
    } else if (tn_value_type(argument) == TN_TYPE_TEXT) {
        const char *value = tn_value_text(argument, &text_length);
        add_header(exchange, header, strlen(header), value, text_length);
    } else if (tn_value_int(argument, &integer)) {
        snprintf(number, sizeof number, "%lld", (long long)integer);
        add_header(exchange, header, strlen(header), number, strlen(number));
    }
}

static void mirror(Exchange *exchange, tn_value schema, tn_value arguments, unsigned depth)
{
    tn_value properties = tn_value_member(schema, "properties");
    tn_cursor cursor = {0};
    size_t length;
    char name[256];

    while (depth < DEPTH_MOST && tn_value_next(properties, &cursor)) {
        const char *key = tn_value_text(cursor.key, &length);
        if (!key || length >= sizeof name || memchr(key, 0, length))
            continue;
        memcpy(name, key, length);
        name[length] = '\0';
        tn_value argument = tn_value_member(arguments, name);
        tn_value wanted = tn_value_member(cursor.value, annotation);
        if (tn_value_type(argument) == TN_TYPE_NONE)
            continue;
        if (tn_value_type(wanted) == TN_TYPE_TEXT)
            mirror_one(exchange, wanted, argument);
        mirror(exchange, cursor.value, argument, depth + 1);
    }
}

void headers_of_call(Exchange *exchange, const Pending *pending)
{
    const Catalogue *catalogue = pending->server->catalogue;
    const char *tool = (const char *)pending->tool.data;
    Buf cbor;

    if (pending->kind != PENDING_CALL)
        return;
    add_header(exchange, "Mcp-Name", 8, tool, pending->tool.length - 1);
    if (!catalogue || !catalogue->headers)
        return;
    buf_init(&cbor, &exchange->client->allocator, SIZE_MAX);
    if (plain_json_read(&cbor, (const char *)pending->arguments.data, pending->arguments.length) ==
        TN_OK) {
        tn_value arguments = {cbor.data, cbor.data, cbor.data + cbor.length};
        mirror(exchange, tn_value_member(catalogue_tool(catalogue, tool), "inputSchema"), arguments,
               0);
    }
    buf_release(&cbor);
}
