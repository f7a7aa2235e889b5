/* An argument as a request: URL, headers, body. Whatever a value holds, it stays in its place. */
#include "cbor.h"
#include "inside.h"

typedef struct Making {
    const OpenapiOperation *operation;
    tn_value argument;
    Arena *arena;
    OpenapiRequest *request;
    Buf why;
} Making;

static bool refuse(Making *making, const char *what, const char *why)
{
    if (making->why.length == 0) {
        buf_append_string(&making->why, what);
        buf_append_string(&making->why, why);
    }
    return false;
}

static tn_value given(const Making *making, const OpenapiParameter *parameter)
{
    tn_value value = tn_value_member(making->argument, parameter->member);

    return tn_value_type(value) == TN_TYPE_UNDEFINED ? (tn_value){0} : value;
}

static bool is_given(tn_value value)
{
    return tn_value_type(value) != TN_TYPE_NONE;
}

/* ---- the path ---- */

static const OpenapiParameter *in_path(const OpenapiOperation *operation, const char *name,
                                       size_t length)
{
    for (size_t i = 0; i < operation->parameter_count; i++) {
        const OpenapiParameter *at = &operation->parameters[i];
        if (at->place == OPENAPI_PATH && strlen(at->wire) == length &&
            memcmp(at->wire, name, length) == 0)
            return at;
    }
    return NULL;
}

/* A segment that values made "." or ".." would lead elsewhere. */
static bool check_segments(Making *making, const Buf *url, size_t from)
{
    for (size_t at = from, next; at < url->length; at = next) {
        const uint8_t *slash = memchr(url->data + at + 1, '/', url->length - at - 1);
        next = slash ? (size_t)(slash - url->data) : url->length;
        size_t length = next - at - 1;
        if (length > 0 && length < 3 && memcmp(url->data + at + 1, "..", length) == 0)
            return refuse(making, making->operation->path,
                          " would get a segment of dots, which means another place");
    }
    return true;
}

static bool put_path(Making *making, Buf *url)
{
    const char *path = making->operation->path;
    size_t begin = url->length;

    while (*path) {
        size_t length = *path == '{' ? strcspn(path + 1, "{}") : 0;
        const OpenapiParameter *parameter = length > 0 && path[1 + length] == '}'
                                                ? in_path(making->operation, path + 1, length)
                                                : NULL;
        if (!parameter) {
            char c = *path++;
            if (c == '%' || c == '/' || strchr("!$&'()*+,;=:@", c))
                buf_append_byte(url, (uint8_t)c);
            else
                style_escape(url, &c, 1, ESCAPE_ALL);
            continue;
        }
        size_t before = url->length;
        if (!style_put(url, parameter, given(making, parameter), ESCAPE_ALL, 0, &making->why))
            return false;
        if (url->length == before)
            return refuse(making, parameter->member, " must not be empty: it is part of the path");
        path += length + 2;
    }
    return check_segments(making, url, begin);
}

static bool put_query(Making *making, Buf *url)
{
    const OpenapiOperation *operation = making->operation;
    bool some = false;

    for (size_t i = 0; i < operation->parameter_count; i++) {
        const OpenapiParameter *parameter = &operation->parameters[i];
        tn_value value = given(making, parameter);
        size_t before = url->length;
        if (parameter->place != OPENAPI_QUERY || !is_given(value))
            continue;
        if (!style_put(url, parameter, value,
                       parameter->reserved ? ESCAPE_RESERVED_STAYS : ESCAPE_ALL, some ? '&' : '?',
                       &making->why))
            return false;
        some = some || url->length > before;
    }
    return true;
}

/* ---- headers ---- */

/* A value that a header can have: no control characters; blanks around it would be lost. */
static bool is_header_value(const Buf *value)
{
    for (size_t i = 0; i < value->length; i++) {
        if (value->data[i] == 0x7f || (value->data[i] < 0x20 && value->data[i] != '\t'))
            return false;
    }
    return true;
}

static bool add_header(Making *making, const char *name, const Buf *value)
{
    OpenapiRequest *request = making->request;
    char *text = arena_text(making->arena, (const char *)value->data, value->length);

    if (!text)
        return false;
    request->headers[request->header_count++] = (OpenapiHeader){name, text};
    return true;
}

static bool put_headers(Making *making)
{
    const OpenapiOperation *operation = making->operation;
    Buf value, cookies;
    bool good = true;

    buf_init(&value, making->arena->allocator, SIZE_MAX);
    buf_init(&cookies, making->arena->allocator, SIZE_MAX);
    for (size_t i = 0; good && i < operation->parameter_count; i++) {
        const OpenapiParameter *parameter = &operation->parameters[i];
        tn_value given_value = given(making, parameter);
        if (!is_given(given_value) || parameter->place < OPENAPI_HEADER)
            continue;
        if (parameter->place == OPENAPI_COOKIE) {
            size_t before = cookies.length;
            if (before > 0)
                buf_append_string(&cookies, "; ");
            good = style_put(&cookies, parameter, given_value, ESCAPE_ALL, 0, &making->why);
            if (cookies.length == before + 2 && before > 0)
                buf_truncate(&cookies, before);
            continue;
        }
        buf_clear(&value);
        good = style_put(&value, parameter, given_value, ESCAPE_NONE, 0, &making->why);
        if (good && !is_header_value(&value))
            good = refuse(making, parameter->member,
                          " has a character that no header can hold (a line end, for one)");
        good = good && add_header(making, parameter->wire, &value);
    }
    if (good && cookies.length > 0)
        good = add_header(making, "Cookie", &cookies);
    buf_release(&value);
    buf_release(&cookies);
    return good;
}

/* ---- the whole ---- */

static bool put_body(Making *making)
{
    const OpenapiBody *body = &making->operation->body;
    OpenapiRequest *request = making->request;
    tn_value value = tn_value_member(making->argument, "body");
    const char *type = NULL;
    Buf out;

    if (body->kind == OPENAPI_NO_CONTENT || !is_given(value) ||
        tn_value_type(value) == TN_TYPE_UNDEFINED)
        return true;
    buf_init(&out, making->arena->allocator, SIZE_MAX);
    bool good = body_write(body, value, making->arena, &out, &type, &making->why) == TN_OK;
    uint8_t *bytes = good ? arena_push(making->arena, out.length + 1) : NULL;
    if (bytes && out.length > 0)
        memcpy(bytes, out.data, out.length);
    request->body = bytes;
    request->body_length = out.length;
    if (bytes && type)
        request->headers[request->header_count++] = (OpenapiHeader){"Content-Type", type};
    buf_release(&out);
    return bytes != NULL;
}

tn_status openapi_request(const OpenapiOperation *operation, tn_value argument, Arena *arena,
                          OpenapiRequest *out_request, const char **out_why)
{
    OpenapiRequest request = {0};
    Making making = {
        .operation = operation, .argument = argument, .arena = arena, .request = &request};
    Buf url;

    request.headers = ARENA_ARRAY(arena, OpenapiHeader, operation->parameter_count + 4);
    if (!request.headers)
        return arena_status(arena);
    buf_init(&url, arena->allocator, 1 << 20);
    buf_init(&making.why, arena->allocator, 4096);
    buf_append_string(&url, operation->base);
    bool good = put_path(&making, &url) && put_query(&making, &url) && put_headers(&making);
    if (good && operation->accept)
        request.headers[request.header_count++] = (OpenapiHeader){"Accept", operation->accept};
    good = good && put_body(&making);
    if (good && url.failed)
        good = refuse(&making, operation->path, " gets longer than any URL may be (1 MiB)");
    request.url = good ? arena_text(arena, (const char *)url.data, url.length) : NULL;
    if (making.why.length > 0)
        *out_why = arena_text(arena, (const char *)making.why.data, making.why.length);
    tn_status status = making.why.length > 0 ? TN_ERR_ARGUMENT
                       : good                ? arena_status(arena)
                                             : TN_ERR_NOMEM;
    buf_release(&url);
    buf_release(&making.why);
    if (status == TN_OK)
        *out_request = request;
    return status;
}
