#include "jsonc.h"

#include "complain.h"
#include "json_fault.h"

#include <stdlib.h>
#include <string.h>

/* ---- comments ---- */

/* Past one comment, blanked; NULL if none is there. Lines stay where they are. */
static char *blank_comment(char *at, const char *end)
{
    bool line = end - at > 1 && at[0] == '/' && at[1] == '/';
    bool block = end - at > 1 && at[0] == '/' && at[1] == '*';
    char *stop;

    if (line) {
        stop = memchr(at, '\n', (size_t)(end - at));
        stop = stop != NULL ? stop : at + (end - at);
    } else if (block) {
        stop = memmem(at + 2, (size_t)(end - at) - 2, "*/", 2);
        stop = stop != NULL ? stop + 2 : at + (end - at);
    } else {
        return NULL;
    }
    for (; at < stop; at++) {
        if (*at != '\n')
            *at = ' ';
    }
    return stop;
}

static const char *past_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"' && *at != '\n'; at++) {
        if (*at == '\\' && at + 1 < end)
            at++;
    }
    return at < end ? at + 1 : at;
}

/* Comments, a comma before a closing bracket, and a byte order mark become blanks. */
static void plain_json(char *text, size_t length)
{
    char *end = text + length, *comma = NULL;

    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        memset(text, ' ', 3);
    for (char *at = text; at < end;) {
        char *past = blank_comment(at, end);
        if (past != NULL) {
            at = past;
            continue;
        }
        if (comma != NULL && (*at == '}' || *at == ']'))
            *comma = ' ';
        if (*at == ',')
            comma = at;
        else if (strchr(" \t\r\n", *at) == NULL)
            comma = NULL;
        at = *at == '"' ? text + (past_string(at, end) - text) : at + 1;
    }
}

/* ---- reading ---- */

int jsonc_parse(Jsonc *out, const char *path, Text text)
{
    *out = (Jsonc){.path = path, .text = text};
    plain_json(text.bytes, text.length);
    tn_status status = tn_writer_new(&out->writer);
    if (status == TN_OK)
        status = tn_put_json(out->writer, text.bytes, text.length);
    if (status == TN_OK)
        return 0;
    if (status != TN_ERR_ARGUMENT)
        return library_failed(status, "read the servers");
    JsonFault fault = json_fault(text.bytes, text.length);
    return complain("Comments and a comma too many are fine; all else is JSON.",
                    "%s is not JSON: expected %s at line %zu, column %zu", path, fault.expected,
                    fault.line, fault.column);
}

int jsonc_read(Jsonc *out, const char *path, const char *what)
{
    ReadJob job = {.path = path,
                   .what = what,
                   .remedy = "Is it a file of MCP servers?",
                   .limit_bytes = FILE_BYTES_MAX};
    Text text = {0};
    int wrong = file_read(&job, &text);

    *out = (Jsonc){.path = path};
    return wrong != 0 ? wrong : jsonc_parse(out, path, text);
}

tn_value jsonc_value(const Jsonc *jsonc)
{
    return tn_writer_value(jsonc->writer);
}

void jsonc_release(Jsonc *jsonc)
{
    tn_writer_free(jsonc->writer);
    free(jsonc->text.bytes);
    *jsonc = (Jsonc){0};
}

/* ---- places, in text that is known to be JSON ---- */

static const char *past_blanks(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n:,", *at) != NULL)
        at++;
    return at;
}

static const char *past_value(const char *at, const char *end)
{
    size_t depth = 0;

    do {
        if (*at == '"') {
            at = past_string(at, end);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= (*at == '}' || *at == ']') && depth > 0;
        at++;
    } while (at < end && (depth > 0 || strchr(",}] \t\r\n", *at) == NULL));
    return at;
}

/* The value of a member of the object at `at`; NULL: it has none of this name, as it is spelt. */
static const char *member_at(const char *at, const char *end, const char *name)
{
    size_t length = strlen(name);

    if (*at != '{')
        return NULL;
    for (at = past_blanks(at + 1, end); at < end && *at == '"'; at = past_blanks(at, end)) {
        const char *key = at + 1;
        at = past_string(at, end);
        bool same = (size_t)(at - 1 - key) == length && memcmp(key, name, length) == 0;
        at = past_blanks(at, end);
        if (same || at >= end)
            return at < end ? at : NULL;
        at = past_value(at, end);
    }
    return NULL;
}

size_t jsonc_line(const Jsonc *jsonc, const char *const *keys, const char *needle)
{
    const char *start = jsonc->text.bytes, *end = start + jsonc->text.length;
    const char *at = past_blanks(start, end), *found;
    size_t line = 1;

    for (; *keys != NULL && at < end; keys++) {
        const char *member = member_at(at, end, *keys);
        if (member == NULL)
            break;
        at = member;
        end = past_value(at, end);
    }
    found = at < end ? memmem(at, (size_t)(end - at), needle, strlen(needle)) : NULL;
    for (const char *c = start; c < (found != NULL ? found : at); c++)
        line += *c == '\n';
    return line;
}
