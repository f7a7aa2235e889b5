/* One message: read, put to its era, answered. */
#include "inside.h"

#include <string.h>

static const char version_key[] = "io.modelcontextprotocol/protocolVersion";
static const char capabilities_key[] = "io.modelcontextprotocol/clientCapabilities";
static const char modern_version[] = "2026-07-28";

/* ---- writing ---- */

void put_text_of(tn_writer *writer, const char *key, const char *text, size_t length)
{
    tn_put_key(writer, key);
    tn_put_text(writer, text, length);
}

void put_text(tn_writer *writer, const char *key, const char *text)
{
    put_text_of(writer, key, text, strlen(text));
}

void put_lifetime(const Request *request, tn_writer *writer, int64_t ms)
{
    if (!request->modern)
        return;
    tn_put_key(writer, "ttlMs");
    tn_put_int(writer, ms);
    put_text(writer, "cacheScope", "private");
}

void put_json(tn_writer *writer, const char *key, const char *json)
{
    tn_put_key(writer, key);
    if (tn_put_json(writer, json, strlen(json)) != TN_OK)
        tn_put_null(writer);
}

static void send(Door *door, tn_writer *writer)
{
    static const char no_memory[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
                                    "\"message\":\"out of memory\"}}";
    tn_value whole = writer ? tn_writer_value(writer) : (tn_value){0};
    char *json = NULL;
    size_t length = 0;

    if (tn_value_type(whole) == TN_TYPE_OBJECT && tn_value_json(whole, &json, &length) == TN_OK)
        line_put(door, json, length);
    else
        line_put(door, no_memory, sizeof no_memory - 1);
    tn_text_free(json);
    tn_writer_free(writer);
}

static tn_writer *envelope(void)
{
    tn_writer *writer = NULL;

    if (tn_writer_new(&writer) != TN_OK)
        return NULL;
    tn_put_object_begin(writer);
    put_text(writer, "jsonrpc", "2.0");
    return writer;
}

static void put_server(tn_writer *writer, const char *key)
{
    tn_put_key(writer, key);
    tn_put_object_begin(writer);
    put_text(writer, "name", "tenon");
    put_text(writer, "version", tn_version());
    tn_put_object_end(writer);
}

tn_writer *result_begin_as(const Request *request, const char *type)
{
    tn_writer *writer = envelope();

    if (!writer)
        return NULL;
    tn_put_key(writer, "id");
    tn_put_value(writer, request->id);
    tn_put_key(writer, "result");
    tn_put_object_begin(writer);
    if (request->modern) {
        put_text(writer, "resultType", type);
        tn_put_key(writer, "_meta");
        tn_put_object_begin(writer);
        put_server(writer, "io.modelcontextprotocol/serverInfo");
        tn_put_object_end(writer);
    }
    return writer;
}

tn_writer *result_begin(const Request *request)
{
    return result_begin_as(request, "complete");
}

void result_end(const Request *request, tn_writer *writer)
{
    if (writer) {
        tn_put_object_end(writer);
        tn_put_object_end(writer);
    }
    if (tn_value_type(request->id) == TN_TYPE_NONE)
        tn_writer_free(writer);
    else
        send(request->door, writer);
}

/* An error; `requested` is of a version that is not spoken, NULL otherwise. */
static void answer_wrong(const Request *request, int code, const char *message,
                         const char *requested, size_t requested_length)
{
    tn_writer *writer = envelope();

    if (writer) {
        tn_put_key(writer, "id");
        if (tn_value_type(request->id) == TN_TYPE_NONE)
            tn_put_null(writer);
        else
            tn_put_value(writer, request->id);
        tn_put_key(writer, "error");
        tn_put_object_begin(writer);
        tn_put_key(writer, "code");
        tn_put_int(writer, code);
        put_text(writer, "message", message);
        if (requested) {
            tn_put_key(writer, "data");
            tn_put_object_begin(writer);
            put_json(writer, "supported", "[\"2026-07-28\",\"2025-11-25\"]");
            put_text_of(writer, "requested", requested, requested_length);
            tn_put_object_end(writer);
        }
        tn_put_object_end(writer);
        tn_put_object_end(writer);
    }
    send(request->door, writer);
}

void answer_error(const Request *request, int code, const char *message)
{
    answer_wrong(request, code, message, NULL, 0);
}

tn_writer *demand_begin(const char *id, const char *method)
{
    tn_writer *writer = envelope();

    if (!writer)
        return NULL;
    if (id)
        put_text(writer, "id", id);
    put_text(writer, "method", method);
    tn_put_key(writer, "params");
    tn_put_object_begin(writer);
    return writer;
}

tn_writer *notification_begin(const char *method)
{
    return demand_begin(NULL, method);
}

void notification_end(Door *door, tn_writer *writer)
{
    if (!writer)
        return;
    tn_put_object_end(writer);
    tn_put_object_end(writer);
    send(door, writer);
}

/* ---- reading ---- */

bool text_is(const char *text, size_t length, const char *word)
{
    return text && strlen(word) == length && memcmp(text, word, length) == 0;
}

const char *member_text(tn_value object, const char *name, size_t *out_length)
{
    *out_length = 0;
    return tn_value_text(tn_value_member(object, name), out_length);
}

/* The era, and whether it can be spoken. False after an answer. */
static bool take_era(Request *request)
{
    tn_value said = tn_value_member(request->meta, version_key);
    tn_value can = tn_value_member(request->meta, capabilities_key);
    size_t length;
    const char *version = tn_value_text(said, &length);
    bool is_discover = text_is(request->method, request->method_length, "server/discover");

    request->modern = version != NULL;
    if (!version && tn_value_type(said) == TN_TYPE_NONE && tn_value_type(can) == TN_TYPE_NONE &&
        !is_discover)
        return true;
    if (!version) {
        answer_error(request, WRONG_PARAMS,
                     "params._meta must have io.modelcontextprotocol/protocolVersion, a text");
        return false;
    }
    if (!text_is(version, length, modern_version)) {
        answer_wrong(request, WRONG_VERSION, "that version of the protocol is not spoken here",
                     version, length);
        return false;
    }
    if (tn_value_type(can) != TN_TYPE_OBJECT) {
        answer_error(request, WRONG_PARAMS,
                     "params._meta must have io.modelcontextprotocol/clientCapabilities");
        return false;
    }
    return true;
}

static bool is_id(tn_value id)
{
    int64_t number;

    return tn_value_type(id) == TN_TYPE_TEXT || tn_value_int(id, &number);
}

/* No method: an answer to what we asked, or nothing of the protocol. */
static void take_answer(const Request *request, tn_value message)
{
    tn_value result = tn_value_member(message, "result");

    if (tn_value_type(result) == TN_TYPE_NONE &&
        tn_value_type(tn_value_member(message, "error")) == TN_TYPE_NONE)
        answer_error(request, WRONG_REQUEST, "a message has a method");
    else
        ask_answer(request->door, request->id, result);
}

static void take_message(Door *door, tn_writer *text)
{
    tn_value message = tn_writer_value(text);
    Request request = {.door = door, .text = text};
    size_t length;
    const char *version = member_text(message, "jsonrpc", &length);

    if (tn_value_type(message) != TN_TYPE_OBJECT) {
        answer_error(&request, WRONG_REQUEST, "a message is one JSON object");
        return;
    }
    request.id = tn_value_member(message, "id");
    request.params = tn_value_member(message, "params");
    request.meta = tn_value_member(request.params, "_meta");
    request.method = member_text(message, "method", &request.method_length);
    if (tn_value_type(request.id) != TN_TYPE_NONE && !is_id(request.id)) {
        request.id = (tn_value){0};
        answer_error(&request, WRONG_REQUEST, "an id is a text or a whole number");
    } else if (!text_is(version, length, "2.0")) {
        answer_error(&request, WRONG_REQUEST, "a message has \"jsonrpc\": \"2.0\"");
    } else if (!request.method) {
        take_answer(&request, message);
    } else if (tn_value_type(request.id) == TN_TYPE_NONE) {
        notification_take(&request);
    } else if (tn_value_type(request.params) != TN_TYPE_NONE &&
               tn_value_type(request.params) != TN_TYPE_OBJECT) {
        answer_error(&request, WRONG_PARAMS, "params is an object");
    } else if (take_era(&request)) {
        method_take(&request);
    }
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\0' || !strchr(" \t\r\n", line[i]))
            return false;
    }
    return true;
}

void message_take(Door *door, const char *line, size_t length)
{
    Request nobody = {.door = door};
    tn_writer *text = NULL;
    tn_status status;

    if (is_blank(line, length))
        return;
    status = tn_writer_new(&text);
    if (status == TN_OK)
        status = tn_put_json(text, line, length);
    if (status == TN_OK)
        take_message(door, text);
    else if (status == TN_ERR_NOMEM)
        answer_error(&nobody, WRONG_INSIDE, "out of memory");
    else
        answer_error(&nobody, WRONG_JSON, "that line is not JSON");
    tn_writer_free(text);
}

void message_too_long(Door *door)
{
    Request nobody = {.door = door};

    answer_error(&nobody, WRONG_REQUEST, "that line is too long");
}

/* ---- copies ---- */

bool request_copy(const Request *request, Request *out_copy)
{
    *out_copy = *request;
    out_copy->text = NULL;
    if (tn_writer_new(&out_copy->text) != TN_OK)
        return false;
    tn_put_object_begin(out_copy->text);
    if (tn_value_type(request->id) != TN_TYPE_NONE) {
        tn_put_key(out_copy->text, "id");
        tn_put_value(out_copy->text, request->id);
    }
    tn_put_key(out_copy->text, "params");
    if (tn_value_type(request->params) == TN_TYPE_OBJECT) {
        tn_put_value(out_copy->text, request->params);
    } else {
        tn_put_object_begin(out_copy->text);
        tn_put_object_end(out_copy->text);
    }
    tn_put_object_end(out_copy->text);
    tn_value whole = tn_writer_value(out_copy->text);
    if (tn_value_type(whole) != TN_TYPE_OBJECT) {
        request_free(out_copy);
        return false;
    }
    out_copy->id = tn_value_member(whole, "id");
    out_copy->params = tn_value_member(whole, "params");
    out_copy->meta = tn_value_member(out_copy->params, "_meta");
    out_copy->method = NULL;
    return true;
}

void request_free(Request *request)
{
    tn_writer_free(request->text);
    request->text = NULL;
}
