/* What the headers of a request say, held against its message. */
#include "http.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- names in headers ---- */

/* Is it this text, written as it is or as "=?base64?...?="? */
static bool says(const char *header, const char *text, size_t length)
{
    static const char before[] = "=?base64?", after[] = "?=";
    size_t whole = strlen(header), edges = sizeof before + sizeof after - 2;

    while (whole > 0 && (header[whole - 1] == ' ' || header[whole - 1] == '\t'))
        whole--; /* blanks around a value are no part of it; those before are gone already */
    if (whole < edges || strncmp(header, before, sizeof before - 1) != 0 ||
        memcmp(header + whole - (sizeof after - 1), after, sizeof after - 1) != 0)
        return whole == length && memcmp(header, text, length) == 0;
    char *plain = malloc(whole);
    ssize_t got = plain ? base64_read(header + sizeof before - 1, whole - edges, plain) : -1;
    bool same = got >= 0 && (size_t)got == length && memcmp(plain, text, length) == 0;
    free(plain);
    return same;
}

/* ---- the newer era ---- */

/* Which member of the params stands in Mcp-Name; NULL: none. */
static const char *named_by(const Request *request)
{
    static const struct {
        const char *method, *member;
    } named[] = {{"tools/call", "name"}, {"prompts/get", "name"}, {"resources/read", "uri"}};

    for (size_t i = 0; i < sizeof named / sizeof *named; i++) {
        if (text_is(request->method, request->method_length, named[i].method))
            return named[i].member;
    }
    return NULL;
}

/* An argument that is a text, a whole number or a boolean, as a header says it. */
static bool says_value(const char *header, tn_value value)
{
    size_t length = 0;
    const char *text = tn_value_text(value, &length);
    char *json = NULL;
    bool same;

    if (text)
        return says(header, text, length);
    if (tn_value_json(value, &json, &length) != TN_OK)
        return false;
    same = says(header, json, length);
    tn_text_free(json);
    return same;
}

/* A tool may have some of its arguments stand in headers, for what is in between. */
static bool parameters_fit(const Exchange *exchange, tn_value schema, tn_value arguments,
                           unsigned depth)
{
    enum { DEPTH_MOST = 20 };
    tn_value properties = tn_value_member(schema, "properties");

    for (tn_cursor cursor = {0}; depth < DEPTH_MOST && tn_value_next(properties, &cursor);) {
        char name[128], header_name[160];
        size_t length = 0, header_length;
        const char *key = tn_value_text(cursor.key, &length);
        const char *mirrored = member_text(cursor.value, "x-mcp-header", &header_length);
        (void)snprintf(name, sizeof name, "%.*s", (int)length, key ? key : "");
        tn_value value = tn_value_member(arguments, name);
        bool there = tn_value_type(value) != TN_TYPE_NONE && tn_value_type(value) != TN_TYPE_NULL;
        if (!mirrored) {
            if (!parameters_fit(exchange, cursor.value, value, depth + 1))
                return false;
            continue;
        }
        (void)snprintf(header_name, sizeof header_name, "Mcp-Param-%.*s", (int)header_length,
                       mirrored);
        const char *header = header_of(exchange->http, exchange->connection, header_name);
        if (there ? !header || !says_value(header, value) : header != NULL)
            return false;
    }
    return true;
}

static bool all_parameters_fit(const Exchange *exchange, const Request *request)
{
    size_t length;
    const char *name = member_text(request->params, "name", &length);
    const Item *item = NULL;

    if (text_is(request->method, request->method_length, "tools/call"))
        item = item_find(request->door, ITEM_TOOL, name, length);
    return !item || parameters_fit(exchange, tn_value_member(item->about, "inputSchema"),
                                   tn_value_member(request->params, "arguments"), 0);
}

static const char *wrong_header(Exchange *exchange, const Request *request, const char *version,
                                size_t length)
{
    const Http *http = exchange->http;
    struct MHD_Connection *connection = exchange->connection;
    const char *said = header_of(http, connection, "MCP-Protocol-Version");
    const char *method = header_of(http, connection, "Mcp-Method");
    const char *name = header_of(http, connection, "Mcp-Name");
    const char *member = named_by(request);
    bool asks = tn_value_type(request->id) != TN_TYPE_NONE;
    size_t name_length;
    const char *named = member_text(request->params, member ? member : "", &name_length);

    if (version && (!said || !says(said, version, length)))
        return "the header MCP-Protocol-Version must be there and say what params._meta says";
    if ((asks || method) && (!method || !says(method, request->method, request->method_length)))
        return "the header Mcp-Method must be there and be the method";
    if (asks && named && (!name || !says(name, named, name_length)))
        return "the header Mcp-Name must be there and be the name, or uri, in params";
    if (asks && !all_parameters_fit(exchange, request))
        return "the headers Mcp-Param-... must be there and say what the arguments say";
    return NULL;
}

static bool admit_modern(Exchange *exchange, const Request *request, const char *version,
                         size_t length)
{
    const char *wrong = wrong_header(exchange, request, version, length);

    if (wrong && tn_value_type(request->id) != TN_TYPE_NONE)
        answer_refused(request, WRONG_HEADER, wrong);
    return !wrong;
}

/* ---- the older era ---- */

static bool refuse(Exchange *exchange, unsigned status, const Request *request, const char *why)
{
    answer_refused(request, WRONG_REQUEST, why);
    exchange->status = status;
    return false;
}

static bool is_spoken(const char *version)
{
    static const char *const spoken[] = {"2025-11-25", "2025-06-18", "2025-03-26"};

    for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++) {
        if (strcmp(version, spoken[i]) == 0)
            return true;
    }
    return false;
}

static bool admit_session(Exchange *exchange, Request *request)
{
    Http *http = exchange->http;
    const char *id = header_of(http, exchange->connection, "Mcp-Session-Id");
    const char *version = header_of(http, exchange->connection, "MCP-Protocol-Version");
    bool begins = text_is(request->method, request->method_length, "initialize");

    if (begins && tn_value_type(request->id) != TN_TYPE_NONE) {
        exchange->session = session_new(http);
        exchange->new_session = true;
    } else if (!id) {
        return refuse(exchange, MHD_HTTP_BAD_REQUEST, request,
                      "the header Mcp-Session-Id is missing; a session begins with initialize");
    } else if (version && !is_spoken(version)) {
        return refuse(exchange, MHD_HTTP_BAD_REQUEST, request,
                      "that MCP-Protocol-Version is not spoken here");
    } else {
        exchange->session = session_find(http, id);
        if (!exchange->session)
            return refuse(exchange, MHD_HTTP_NOT_FOUND, request,
                          "that session is over; begin another with initialize");
    }
    if (!exchange->session)
        return refuse(exchange, MHD_HTTP_INTERNAL_SERVER_ERROR, request, "out of memory");
    exchange->sink.peer = &exchange->session->peer;
    return true;
}

bool headers_admit(Sink *sink, Request *request, const char *version, size_t length)
{
    Exchange *exchange = (Exchange *)sink;

    sink->modern |= request->modern;
    return sink->modern ? admit_modern(exchange, request, version, length)
                        : admit_session(exchange, request);
}
