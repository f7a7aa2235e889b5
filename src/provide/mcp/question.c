/* What a server asks of a person.
 *
 * In the handshake era it is a request of the server's; since 2026-07-28 a call is answered with
 * the questions, and sent again with the answers. A question belongs to the host from the moment it
 * is told of it until it answers, and may outlive call, server and client. While questions of a
 * server are open, no time of its calls passes. */
#include <stdio.h>

#include "inside.h"
#include "plain_json.h"

struct McpQuestion {
    tn_allocator allocator;
    pthread_mutex_t lock; /* of the next two: taken before the client's */
    McpClient *client;    /* NULL: nobody waits for the answer */
    bool answered;
    McpServer *server;

    McpQuestion *next;          /* of the server */
    McpQuestion *next_answered; /* under the client's lock */
    Pending *pending;           /* whose round it is of; NULL: a request */
    Buf id;                     /* JSON: of the request, or the name in the round */
    Buf params;                 /* CBOR */
    Buf answer;                 /* JSON */
};

/* ---- making and ending ---- */

static McpQuestion *question_new(McpServer *server, Pending *pending, const char *id, size_t length,
                                 tn_value params)
{
    McpClient *client = server->client;
    McpQuestion *question = memory_new(&client->allocator, sizeof *question);
    tn_writer *writer = NULL;

    if (!question)
        return NULL;
    question->allocator = client->allocator;
    question->client = client;
    question->server = server;
    question->pending = pending;
    pthread_mutex_init(&question->lock, NULL);
    buf_init(&question->id, &question->allocator, SIZE_MAX);
    buf_init(&question->params, &question->allocator, SIZE_MAX);
    buf_init(&question->answer, &question->allocator, SIZE_MAX);
    buf_append(&question->id, id, length);
    if (tn_value_type(params) == TN_TYPE_OBJECT && tn_writer_new(&writer) == TN_OK) {
        tn_put_value(writer, params);
        tn_value copy = tn_writer_value(writer);
        buf_append(&question->params, copy.start, (size_t)(copy.end - copy.start));
        tn_writer_free(writer);
    }
    return question;
}

static void question_free(McpQuestion *question)
{
    pthread_mutex_destroy(&question->lock);
    buf_release(&question->id);
    buf_release(&question->params);
    buf_release(&question->answer);
    tn_allocator allocator = question->allocator;
    memory_free(&allocator, question, sizeof *question);
}

McpServer *mcp_question_server(const McpQuestion *question)
{
    return question->server;
}

tn_value mcp_question_params(const McpQuestion *question)
{
    const uint8_t *data = question->params.data;

    return data ? (tn_value){data, data, data + question->params.length} : (tn_value){0};
}

/* ---- the host's side ---- */

static void write_member(Buf *out, bool *first, tn_value key, tn_value value)
{
    size_t before = out->length;

    buf_append_string(out, *first ? ",\"content\":{" : ",");
    if (plain_json_write(out, key, NULL) == TN_OK) {
        buf_append_byte(out, ':');
        if (plain_json_write(out, value, NULL) == TN_OK) {
            *first = false;
            return;
        }
    }
    buf_truncate(out, before);
}

static bool has_member(tn_value object, tn_value key)
{
    tn_cursor cursor = {0};
    size_t length, wanted;
    const char *name = tn_value_text(key, &wanted);

    while (name && tn_value_next(object, &cursor)) {
        const char *text = tn_value_text(cursor.key, &length);
        if (text && length == wanted && memcmp(text, name, length) == 0)
            return true;
    }
    return false;
}

/* What was not filled in has the default that was asked with it. */
static void write_content(McpQuestion *question, tn_value content)
{
    tn_value schema = tn_value_member(mcp_question_params(question), "requestedSchema");
    tn_value properties = tn_value_member(schema, "properties");
    tn_cursor given = {0}, asked = {0};
    bool first = true;

    if (tn_value_type(content) == TN_TYPE_OBJECT) {
        while (tn_value_next(content, &given))
            write_member(&question->answer, &first, given.key, given.value);
    }
    while (tn_value_next(properties, &asked)) {
        tn_value usual = tn_value_member(asked.value, "default");
        if (tn_value_type(usual) != TN_TYPE_NONE && !has_member(content, asked.key))
            write_member(&question->answer, &first, asked.key, usual);
    }
    if (!first)
        buf_append_byte(&question->answer, '}');
    else if (tn_value_type(schema) == TN_TYPE_OBJECT)
        buf_append_string(&question->answer, ",\"content\":{}");
}

static void write_answer(McpQuestion *question, McpAction action, tn_value content)
{
    Buf *out = &question->answer;

    buf_append_string(out, action == MCP_ACCEPT    ? "{\"action\":\"accept\""
                           : action == MCP_DECLINE ? "{\"action\":\"decline\""
                                                   : "{\"action\":\"cancel\"");
    if (action == MCP_ACCEPT)
        write_content(question, content);
    buf_append_byte(out, '}');
}

void mcp_question_answer(McpQuestion *question, McpAction action, tn_value content)
{
    write_answer(question, action, content);
    pthread_mutex_lock(&question->lock);
    McpClient *client = question->client;
    question->answered = true;
    if (client) {
        pthread_mutex_lock(&client->lock);
        question->next_answered = client->answered;
        client->answered = question;
        pthread_mutex_unlock(&client->lock);
        client_wake(client);
    }
    pthread_mutex_unlock(&question->lock);
    if (!client)
        question_free(question);
}

/* ---- the client's side ---- */

static void open_question(McpServer *server, McpQuestion *question)
{
    question->next = server->questions;
    server->questions = question;
    if (server->open_questions++ == 0)
        server->asked_at = client_now(server->client);
}

/* The clock of its calls goes on when nobody is asked any more. */
static void close_question(McpServer *server, McpQuestion *question)
{
    McpQuestion **link = &server->questions;
    uint64_t now = client_now(server->client);

    while (*link && *link != question)
        link = &(*link)->next;
    if (!*link)
        return;
    *link = question->next;
    if (--server->open_questions > 0)
        return;
    for (Pending *pending = server->pending; pending; pending = pending->next) {
        if (pending->kind != PENDING_CALL || pending->total_due == 0)
            continue;
        pending->total_due += now - server->asked_at;
        pending->idle_due = now + server->call_ms;
        client_due(server->client, pending->idle_due);
        client_due(server->client, pending->total_due);
    }
}

/* Nobody waits for it: if the host has not answered yet, its answer will free it. */
static void let_go(McpServer *server, McpQuestion *question)
{
    close_question(server, question);
    question->pending = NULL;
    pthread_mutex_lock(&question->lock);
    bool answered = question->answered;
    if (!answered)
        question->client = NULL;
    else
        question->server = NULL; /* it is among the answered ones, and is freed there */
    pthread_mutex_unlock(&question->lock);
}

void questions_drop(McpServer *server, const Pending *pending)
{
    for (McpQuestion *question = server->questions, *next; question; question = next) {
        next = question->next;
        if (!pending || question->pending == pending)
            let_go(server, question);
    }
}

void question_withdrawn(McpServer *server, tn_value id)
{
    Buf json;

    buf_init(&json, &server->client->allocator, 1024);
    if (plain_json_write(&json, id, NULL) == TN_OK) {
        for (McpQuestion *question = server->questions; question; question = question->next) {
            if (!question->pending && question->id.length == json.length &&
                memcmp(question->id.data, json.data, json.length) == 0) {
                let_go(server, question);
                break;
            }
        }
    }
    buf_release(&json);
}

/* ---- a request ---- */

void question_request(McpServer *server, const char *id, size_t length, tn_value params)
{
    McpHost *host = &server->client->host;
    McpQuestion *question = question_new(server, NULL, id, length, params);

    if (!question)
        return;
    open_question(server, question);
    host->elicit(host->user, question);
}

static void answer_request(McpServer *server, const McpQuestion *question)
{
    Buf message;

    buf_init(&message, &server->client->allocator, SIZE_MAX);
    message_answer_begin(&message, (const char *)question->id.data, question->id.length);
    buf_append_string(&message, "\"result\":");
    buf_append(&message, question->answer.data, question->answer.length);
    buf_append_byte(&message, '}');
    server_send(server, &message);
}

/* ---- a round of a call ---- */

static void put_response(Pending *pending, const Buf *name, const char *answer, size_t length)
{
    Buf *answers = &pending->answers;

    buf_append_byte(answers, answers->data[answers->length - 1] == '{' ? ' ' : ',');
    buf_append(answers, name->data, name->length);
    buf_append_byte(answers, ':');
    buf_append(answers, answer, length);
}

/* The answers' members are begun with the state, so that only responses are still to come. */
static void begin_answers(Pending *pending, tn_value result, bool requests)
{
    size_t length;
    const char *state = tn_value_text(tn_value_member(result, "requestState"), &length);

    buf_clear(&pending->answers);
    if (state) {
        buf_append_string(&pending->answers, "\"requestState\":");
        message_json_string(&pending->answers, state, length);
    }
    if (requests)
        buf_append_string(&pending->answers,
                          state ? ",\"inputResponses\":{" : "\"inputResponses\":{");
}

static void end_round(Pending *pending, bool requests)
{
    if (requests)
        buf_append_byte(&pending->answers, '}');
    call_send(pending);
}

static bool is_elicitation(tn_value request)
{
    size_t length;
    const char *method = tn_value_text(tn_value_member(request, "method"), &length);

    return method && length == 18 && memcmp(method, "elicitation/create", 18) == 0;
}

static bool all_elicitations(tn_value requests)
{
    tn_cursor cursor = {0};

    while (tn_value_next(requests, &cursor)) {
        if (!is_elicitation(cursor.value))
            return false;
    }
    return true;
}

/* Ask one; without anybody to ask, and where memory is out, it is declined. */
static McpQuestion *ask_one(Pending *pending, tn_value key, tn_value request)
{
    static const char declined[] = "{\"action\":\"decline\"}";
    McpServer *server = pending->server;
    McpQuestion *question = NULL;
    Buf name;

    buf_init(&name, &server->client->allocator, SIZE_MAX);
    (void)plain_json_write(&name, key, NULL);
    if (server->client->host.elicit)
        question = question_new(server, pending, (const char *)name.data, name.length,
                                tn_value_member(request, "params"));
    if (question) {
        open_question(server, question);
        pending->asked++;
    } else {
        put_response(pending, &name, declined, sizeof declined - 1);
    }
    buf_release(&name);
    return question;
}

/* All of the round are opened before the host hears of the first: it may answer at once. */
void questions_ask(Pending *pending, tn_value result)
{
    enum { MOST = 32 };
    McpServer *server = pending->server;
    McpHost *host = &server->client->host;
    tn_value requests = tn_value_member(result, "inputRequests");
    size_t count = tn_value_count(requests), asked = 0;
    McpQuestion *questions[MOST];
    tn_cursor cursor = {0};

    if (count > MOST || !all_elicitations(requests)) {
        call_fail(pending, "protocol", false, "asked for input that was not offered, to answer %s",
                  pending_name(pending));
        return;
    }
    begin_answers(pending, result, count > 0);
    pending->id = 0; /* this request is over */
    if (pending->exchange)
        http_drop(pending->exchange);
    while (tn_value_next(requests, &cursor)) {
        McpQuestion *question = ask_one(pending, cursor.key, cursor.value);
        if (question)
            questions[asked++] = question;
    }
    if (asked == 0)
        end_round(pending, count > 0);
    for (size_t i = 0; i < asked; i++)
        host->elicit(host->user, questions[i]);
}

/* ---- answers that came in ---- */

static void take_answer(McpQuestion *question)
{
    McpServer *server = question->server;
    Pending *pending = question->pending;

    if (!server)
        return;
    close_question(server, question);
    if (!pending) {
        answer_request(server, question);
        return;
    }
    put_response(pending, &question->id, (const char *)question->answer.data,
                 question->answer.length);
    if (--pending->asked == 0)
        end_round(pending, true);
}

void question_answered(McpQuestion *question)
{
    for (McpQuestion *next; question; question = next) {
        next = question->next_answered;
        /* the host's thread may still be on its way out of the lock */
        pthread_mutex_lock(&question->lock);
        pthread_mutex_unlock(&question->lock);
        take_answer(question);
        question_free(question);
    }
}
