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

static void send(Sink *sink, tn_writer *writer, const Said *said)
{
    static const char no_memory[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32603,"
                                    "\"message\":\"out of memory\"}}";
    tn_value whole = writer ? tn_writer_value(writer) : (tn_value){0};
    char *json = NULL;
    size_t length = 0;

    if (tn_value_type(whole) == TN_TYPE_OBJECT && tn_value_json(whole, &json, &length) == TN_OK)
        sink->put(sink, json, length, said);
    else
        sink->put(sink, no_memory, sizeof no_memory - 1, said);
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
        if (request->listens) {
            tn_put_key(writer, "io.modelcontextprotocol/subscriptionId");
            tn_put_value(writer, request->id);
        }
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
        send(request->sink, writer, &(Said){.answer = true});
}

static tn_writer *error_begin(const Request *request, int code, const char *message)
{
    tn_writer *writer = envelope();

    if (!writer)
        return NULL;
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
    return writer;
}

static void error_end(const Request *request, tn_writer *writer, const Said *said)
{
    if (writer) {
        tn_put_object_end(writer);
        tn_put_object_end(writer);
    }
    send(request->sink, writer, said);
}

void answer_error(const Request *request, int code, const char *message)
{
    error_end(request, error_begin(request, code, message), &(Said){.answer = true, .code = code});
}

void answer_error_about(const Request *request, int code, const char *message, const char *key,
                        const char *text, size_t length)
{
    tn_writer *writer = error_begin(request, code, message);

    if (writer) {
        tn_put_key(writer, "data");
        tn_put_object_begin(writer);
        put_text_of(writer, key, text, length);
        tn_put_object_end(writer);
    }
    error_end(request, writer, &(Said){.answer = true, .code = code});
}

void answer_capability(const Request *request, tn_value required)
{
    tn_writer *writer = error_begin(request, WRONG_CAPABILITY,
                                    "the client has not said that it can do what this needs");

    if (writer) {
        tn_put_key(writer, "data");
        tn_put_object_begin(writer);
        tn_put_key(writer, "requiredCapabilities");
        tn_put_value(writer, required);
        tn_put_object_end(writer);
    }
    error_end(request, writer, &(Said){.answer = true, .code = WRONG_CAPABILITY});
}

void answer_refused(const Request *request, int code, const char *message)
{
    error_end(request, error_begin(request, code, message),
              &(Said){.answer = true, .code = code, .refused = true});
}

static void answer_version(const Request *request, const char *requested, size_t length)
{
    tn_writer *writer =
        error_begin(request, WRONG_VERSION, "that version of the protocol is not spoken here");

    if (writer) {
        tn_put_key(writer, "data");
        tn_put_object_begin(writer);
        put_json(writer, "supported", "[\"2026-07-28\",\"2025-11-25\"]");
        put_text_of(writer, "requested", requested, length);
        tn_put_object_end(writer);
    }
    error_end(request, writer, &(Said){.answer = true, .code = WRONG_VERSION, .refused = true});
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

void notification_end(Sink *sink, tn_writer *writer)
{
    if (!writer)
        return;
    tn_put_object_end(writer);
    tn_put_object_end(writer);
    send(sink, writer, &(Said){0});
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

static bool admitted(Request *request, const char *version, size_t length)
{
    Sink *sink = request->sink;

    return !sink->admit || sink->admit(sink, request, version, length);
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
        !is_discover && !request->sink->modern)
        return admitted(request, NULL, 0);
    request->modern = true;
    if (!version) {
        answer_refused(request, WRONG_PARAMS,
                       "params._meta must have io.modelcontextprotocol/protocolVersion, a text");
        return false;
    }
    if (!admitted(request, version, length))
        return false;
    if (!text_is(version, length, modern_version)) {
        answer_version(request, version, length);
        return false;
    }
    if (tn_value_type(can) != TN_TYPE_OBJECT) {
        answer_refused(request, WRONG_PARAMS,
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
static void take_answer(Request *request, tn_value message)
{
    tn_value result = tn_value_member(message, "result");
    tn_value error = tn_value_member(message, "error");

    if (tn_value_type(result) == TN_TYPE_NONE && tn_value_type(error) == TN_TYPE_NONE)
        answer_refused(request, WRONG_REQUEST, "a message has a method");
    else if (admitted(request, NULL, 0))
        ask_answer(request, result, error);
}

/* One that nobody waits for: of the era that it says, or that its client has. */
static void take_notification(Request *request)
{
    size_t length;
    const char *version = member_text(request->meta, version_key, &length);

    request->modern = version != NULL || request->sink->modern;
    if (admitted(request, version, length))
        notification_take(request);
}

static bool take_message(Request *request, tn_value message)
{
    size_t length;
    const char *version = member_text(message, "jsonrpc", &length);

    if (tn_value_type(message) != TN_TYPE_OBJECT) {
        answer_refused(request, WRONG_REQUEST, "a message is one JSON object");
        return true;
    }
    request->id = tn_value_member(message, "id");
    request->params = tn_value_member(message, "params");
    request->meta = tn_value_member(request->params, "_meta");
    request->method = member_text(message, "method", &request->method_length);
    if (tn_value_type(request->id) != TN_TYPE_NONE && !is_id(request->id)) {
        request->id = (tn_value){0};
        answer_refused(request, WRONG_REQUEST, "an id is a text or a whole number");
    } else if (!text_is(version, length, "2.0")) {
        answer_refused(request, WRONG_REQUEST, "a message has \"jsonrpc\": \"2.0\"");
    } else if (!request->method) {
        take_answer(request, message);
        return false;
    } else if (tn_value_type(request->id) == TN_TYPE_NONE) {
        take_notification(request);
        return false;
    } else if (tn_value_type(request->params) != TN_TYPE_NONE &&
               tn_value_type(request->params) != TN_TYPE_OBJECT) {
        answer_refused(request, WRONG_PARAMS, "params is an object");
    } else if (take_era(request)) {
        method_take(request);
    }
    return true;
}

static bool is_blank(const char *line, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '\0' || !strchr(" \t\r\n", line[i]))
            return false;
    }
    return true;
}

bool message_take(Door *door, Sink *sink, const char *line, size_t length)
{
    Request request = {.door = door, .sink = sink};
    bool owed = true;
    tn_status status;

    if (is_blank(line, length))
        return false;
    status = tn_writer_new(&request.text);
    if (status == TN_OK)
        status = tn_put_json(request.text, line, length);
    if (status == TN_OK)
        owed = take_message(&request, tn_writer_value(request.text));
    else if (status == TN_ERR_NOMEM)
        answer_error(&request, WRONG_INSIDE, "out of memory");
    else
        answer_refused(&request, WRONG_JSON, "that is not JSON");
    tn_writer_free(request.text);
    return owed;
}

void message_too_long(Door *door, Sink *sink)
{
    Request nobody = {.door = door, .sink = sink};

    answer_refused(&nobody, WRONG_REQUEST, "that line is too long");
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
        tn_writer_free(out_copy->text);
        out_copy->text = NULL;
        return false;
    }
    if (request->sink->ref)
        request->sink->ref(request->sink);
    out_copy->id = tn_value_member(whole, "id");
    out_copy->params = tn_value_member(whole, "params");
    out_copy->meta = tn_value_member(out_copy->params, "_meta");
    out_copy->method = NULL;
    return true;
}

void request_free(Request *request)
{
    Sink *sink = request->sink;

    if (request->text && sink->unref)
        sink->unref(sink);
    tn_writer_free(request->text);
    request->text = NULL;
}
