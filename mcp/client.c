/* The package `client`: what programs of a configuration may say to the client they work for, and
 * ask of it. Only theirs: a program that a model has written is refused. */
#include "inside.h"

#include <stdio.h>
#include <string.h>

const char client_declarations[] =
    "type Block = { type: \"text\"; text: string }\n"
    "  | { type: \"image\" | \"audio\"; data: Uint8Array | string; mimeType: string }\n"
    "  | { type: \"resource\"; resource: { uri: string; mimeType?: string; text?: string;\n"
    "      blob?: Uint8Array | string } }\n"
    "  | { type: \"resource_link\"; uri: string; name: string; description?: string;\n"
    "      mimeType?: string };\n"
    "type Message = { role: \"user\" | \"assistant\"; content: Block };\n"
    "declare namespace client {\n"
    "  type Level = \"debug\" | \"info\" | \"notice\" | \"warning\" | \"error\" | \"critical\" |\n"
    "    \"alert\" | \"emergency\";\n"
    "  type Reply = { action: \"accept\"; content: { [name: string]: any } }\n"
    "    | { action: \"decline\" | \"cancel\"; content?: undefined };\n"
    "  function progress(progress: number, total?: number, message?: string): void;\n"
    "  function log(level: Level, data: unknown, logger?: string): void;\n"
    "  function changed(uri: string): void;\n"
    "  function can(what: \"elicitation\" | \"sampling\" | \"roots\"): boolean;\n"
    "  function ask(question: { message: string; schema: object; key?: string }): "
    "Promise<Reply>;\n"
    "  function sample(request: { messages: Array<{ role: \"user\" | \"assistant\";\n"
    "    content: Block | Block[] }>; maxTokens: number; key?: string; [more: string]: unknown "
    "}):\n"
    "    Promise<{ role: string; content: any; model: string; stopReason?: string }>;\n"
    "  function roots(options?: { key?: string }): Promise<Array<{ uri: string; name?: string "
    "}>>;\n"
    "}\n";

/* The job that a call comes from; NULL after refusing it. */
static Job *job_of(tn_call *call)
{
    Job *job = tn_call_context(call);

    if (job && job->item)
        return job;
    tn_call_fail(call, "denied", "only programs of the server's configuration talk to its client",
                 false);
    return NULL;
}

/* ---- said ---- */

static void progress(void *user, tn_call *call)
{
    Job *job = job_of(call);
    tn_value how_far = tn_call_argument(call, 0), total = tn_call_argument(call, 1);
    tn_value message = tn_call_argument(call, 2);

    (void)user;
    if (!job || tn_value_type(how_far) != TN_TYPE_NUMBER)
        return;
    pthread_mutex_lock(&job->request.door->lock);
    tn_value token = tn_value_member(job->reply.meta, "progressToken");
    double number = tn_value_number(how_far);
    tn_writer *writer = NULL;
    /* it never goes back: clients take that for an error */
    if (tn_value_type(token) != TN_TYPE_NONE && !job->parked && number > job->told)
        writer = notification_begin("notifications/progress");
    if (writer) {
        job->told = number;
        tn_put_key(writer, "progressToken");
        tn_put_value(writer, token);
        tn_put_key(writer, "progress");
        tn_put_value(writer, how_far);
        if (tn_value_type(total) == TN_TYPE_NUMBER) {
            tn_put_key(writer, "total");
            tn_put_value(writer, total);
        }
        if (tn_value_type(message) == TN_TYPE_TEXT) {
            tn_put_key(writer, "message");
            tn_put_value(writer, message);
        }
    }
    notification_end(job->reply.sink, writer);
    pthread_mutex_unlock(&job->request.door->lock);
}

int log_level(const char *text, size_t length)
{
    static const char *const names[] = {"debug", "info",     "notice", "warning",
                                        "error", "critical", "alert",  "emergency"};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (text_is(text, length, names[i]))
            return (int)i;
    }
    return -1;
}

/* From which level on its client wants to be told. In the newer era each request says so. */
static int wanted_level(const Job *job)
{
    size_t length;

    if (!job->reply.modern)
        return job->reply.sink->peer->log_level;
    const char *text = member_text(job->reply.meta, "io.modelcontextprotocol/logLevel", &length);
    int level = log_level(text, length);
    return level < 0 ? LOG_OFF : level;
}

static void log_message(void *user, tn_call *call)
{
    Job *job = job_of(call);
    tn_value data = tn_call_argument(call, 1), logger = tn_call_argument(call, 2);
    size_t length = 0;
    const char *text = tn_value_text(tn_call_argument(call, 0), &length);
    int level = log_level(text, length);

    (void)user;
    if (!job || level < 0)
        return;
    pthread_mutex_lock(&job->request.door->lock);
    tn_writer *writer = NULL;
    if (level >= wanted_level(job) && !job->parked)
        writer = notification_begin("notifications/message");
    if (writer) {
        put_text_of(writer, "level", text, length);
        tn_put_key(writer, "data");
        if (tn_value_type(data) == TN_TYPE_NONE || tn_value_type(data) == TN_TYPE_UNDEFINED)
            tn_put_null(writer);
        else
            tn_put_value(writer, data);
        if (tn_value_type(logger) == TN_TYPE_TEXT) {
            tn_put_key(writer, "logger");
            tn_put_value(writer, logger);
        }
    }
    notification_end(job->reply.sink, writer);
    pthread_mutex_unlock(&job->request.door->lock);
}

/* Those who watch a resource are told. */
static void changed(void *user, tn_call *call)
{
    Job *job = job_of(call);
    size_t length = 0;
    const char *uri = tn_value_text(tn_call_argument(call, 0), &length);

    (void)user;
    if (job && uri)
        watches_tell(job->request.door, uri, length);
}

static void can(void *user, tn_call *call)
{
    Job *job = job_of(call);
    size_t length = 0;
    const char *what = tn_value_text(tn_call_argument(call, 0), &length);

    (void)user;
    if (job)
        tn_put_bool(tn_call_result(call),
                    (text_is(what, length, "elicitation") && job->can.elicit) ||
                        (text_is(what, length, "sampling") && job->can.sample) ||
                        (text_is(what, length, "roots") && job->can.roots));
}

/* ---- asked ---- */

/* Params that the client is sent; the caller's to fill and close. */
static tn_writer *params_begin(tn_call *call)
{
    tn_writer *writer = NULL;

    if (tn_writer_new(&writer) != TN_OK) {
        tn_call_fail(call, "NOMEM", "out of memory", true);
        return NULL;
    }
    tn_put_object_begin(writer);
    return writer;
}

static bool may(tn_call *call, bool can_it, const char *what)
{
    char message[120];

    if (can_it)
        return true;
    (void)snprintf(message, sizeof message, "the client has not said that it can do %s", what);
    tn_call_fail(call, "unsupported", message, false);
    return false;
}

static void ask(void *user, tn_call *call)
{
    Job *job = job_of(call);
    tn_value question = tn_call_argument(call, 0);
    tn_value message = tn_value_member(question, "message");
    tn_value schema = tn_value_member(question, "schema");
    tn_writer *writer;

    (void)user;
    if (!job || !may(call, job->can.elicit, "elicitation"))
        return;
    if (tn_value_type(message) != TN_TYPE_TEXT || tn_value_type(schema) != TN_TYPE_OBJECT) {
        tn_call_fail(call, "argument", "a question has a message and a schema", false);
        return;
    }
    writer = params_begin(call);
    if (!writer)
        return;
    if (job->reply.modern)
        put_text(writer, "mode", "form");
    tn_put_key(writer, "message");
    tn_put_value(writer, message);
    tn_put_key(writer, "requestedSchema");
    tn_put_value(writer, schema);
    tn_put_object_end(writer);
    ask_call(job, call, "elicitation/create", writer, tn_value_member(question, "key"));
}

static void sample(void *user, tn_call *call)
{
    Job *job = job_of(call);
    tn_value request = tn_call_argument(call, 0);
    tn_writer *writer;

    (void)user;
    if (!job || !may(call, job->can.sample, "sampling"))
        return;
    if (tn_value_type(request) != TN_TYPE_OBJECT) {
        tn_call_fail(call, "argument", "a request to sample is an object", false);
        return;
    }
    writer = params_begin(call);
    if (!writer)
        return;
    for (tn_cursor cursor = {0}; tn_value_next(request, &cursor);) {
        char name[64];
        size_t length = 0;
        const char *text = tn_value_text(cursor.key, &length);
        if (!text || length >= sizeof name || text_is(text, length, "key") ||
            tn_value_type(cursor.value) == TN_TYPE_UNDEFINED)
            continue;
        (void)snprintf(name, sizeof name, "%.*s", (int)length, text);
        tn_put_key(writer, name);
        tn_put_value(writer, cursor.value);
    }
    tn_put_object_end(writer);
    ask_call(job, call, "sampling/createMessage", writer, tn_value_member(request, "key"));
}

static void roots(void *user, tn_call *call)
{
    Job *job = job_of(call);
    tn_writer *writer;

    (void)user;
    if (!job || !may(call, job->can.roots, "roots"))
        return;
    writer = params_begin(call);
    if (!writer)
        return;
    tn_put_object_end(writer);
    ask_call(job, call, "roots/list", writer, tn_value_member(tn_call_argument(call, 0), "key"));
}

tn_status door_config_add(const DoorConfig *config, tn_engine *engine)
{
    static const struct {
        const char *name;
        tn_function function;
        unsigned flags;
    } functions[] = {
        {"client.progress", progress, TN_FUNCTION_SYNC},
        {"client.log", log_message, TN_FUNCTION_SYNC},
        {"client.changed", changed, TN_FUNCTION_SYNC},
        {"client.can", can, TN_FUNCTION_SYNC},
        {"client.ask", ask, 0},
        {"client.sample", sample, 0},
        {"client.roots", roots, 0},
    };
    tn_status status = TN_OK;

    (void)config;
    for (size_t i = 0; status == TN_OK && i < sizeof functions / sizeof *functions; i++)
        status = tn_engine_add_function(engine, functions[i].name, functions[i].function, NULL,
                                        functions[i].flags | TN_FUNCTION_READ_ONLY |
                                            TN_FUNCTION_UNLISTED);
    return status;
}
