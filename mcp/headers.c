/* What the headers of a request say, held against its message. */
#include "http.h"

#include <stdlib.h>
#include <string.h>

/* ---- names in headers ---- */

static int digit(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c ? strchr(digits, c) : NULL;

    return at ? (int)(at - digits) : -1;
}

/* Decode base64 into `out`, which has room for it; the length, or -1. */
static ssize_t decode(const char *text, size_t length, char *out)
{
    ssize_t at = 0;
    unsigned bits = 0, held = 0;

    while (length > 0 && text[length - 1] == '=')
        length--;
    for (size_t i = 0; i < length; i++) {
        int value = digit(text[i]);
        if (value < 0)
            return -1;
        held = held << 6 | (unsigned)value;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            out[at++] = (char)(held >> bits & 0xFF);
        }
    }
    return at;
}

/* Is it this text, written as it is or as "=?base64?...?="? */
static bool says(const char *header, const char *text, size_t length)
{
    static const char before[] = "=?base64?", after[] = "?=";
    size_t whole = strlen(header), edges = sizeof before + sizeof after - 2;

    if (whole < edges || strncmp(header, before, sizeof before - 1) != 0 ||
        strcmp(header + whole - (sizeof after - 1), after) != 0)
        return text_is(text, length, header);
    char *plain = malloc(whole);
    ssize_t got = plain ? decode(header + sizeof before - 1, whole - edges, plain) : -1;
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

    if (version && (!said || !text_is(version, length, said)))
        return "the header MCP-Protocol-Version must be there and say what params._meta says";
    if ((asks || method) && (!method || !text_is(request->method, request->method_length, method)))
        return "the header Mcp-Method must be there and be the method";
    if (asks && named && (!name || !says(name, named, name_length)))
        return "the header Mcp-Name must be there and be the name, or uri, in params";
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
