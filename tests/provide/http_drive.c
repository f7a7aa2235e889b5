/* The HTTP client alone, driven by lines of JSON: a request each on standard input, an answer each
 * on standard output. tests/provide/http_client.py holds the conversations. Arguments: what names
 * resolve to, "name:port:address". */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "http_client.h"
#include "origin.h"

enum { LIST = 16, JOBS = 4096 };

typedef struct Job {
    pthread_t thread;
    bool begun;
    tn_writer *command;
    HttpGrant grants[LIST];
    HttpCredential credentials[LIST][LIST];
    const char *methods[LIST][LIST];
    HttpHeader headers[LIST];
} Job;

static HttpClient *client;
static Job jobs[JOBS];
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;

typedef struct Text {
    struct Text *next;
    char bytes[];
} Text;

static Text *texts;
static pthread_mutex_t keeping = PTHREAD_MUTEX_INITIALIZER;

/* Until the end. NULL: it is no text. */
static const char *keep(tn_value value)
{
    size_t length = 0;
    const char *text = tn_value_text(value, &length);
    Text *kept = text ? calloc(1, sizeof *kept + length + 1) : NULL;

    if (!kept)
        return NULL;
    memcpy(kept->bytes, text, length);
    pthread_mutex_lock(&keeping);
    kept->next = texts;
    texts = kept;
    pthread_mutex_unlock(&keeping);
    return kept->bytes;
}

static const char *text_of(tn_value object, const char *name)
{
    return keep(tn_value_member(object, name));
}

static int64_t int_of(tn_value object, const char *name)
{
    int64_t number = 0;

    (void)tn_value_int(tn_value_member(object, name), &number);
    return number;
}

static void put_member(tn_writer *writer, const char *name, const char *text)
{
    tn_put_key(writer, name);
    if (text)
        tn_put_string(writer, text);
    else
        tn_put_null(writer);
}

static void on_answer(void *user, tn_call *call, const HttpAnswer *answer)
{
    const Job *job = user;
    tn_writer *writer;
    char *text;
    size_t length;

    (void)call;
    if (tn_writer_new(&writer) != TN_OK)
        abort();
    tn_put_object_begin(writer);
    tn_put_key(writer, "id");
    tn_put_int(writer, int_of(tn_writer_value(job->command), "id"));
    put_member(writer, "error", answer->error);
    put_member(writer, "message", answer->message);
    tn_put_key(writer, "retryable");
    tn_put_bool(writer, answer->retryable);
    tn_put_key(writer, "status");
    tn_put_int(writer, answer->status);
    put_member(writer, "statusText", answer->status_text);
    put_member(writer, "url", answer->url);
    tn_put_key(writer, "redirected");
    tn_put_bool(writer, answer->redirected);
    tn_put_key(writer, "headers");
    tn_put_array_begin(writer);
    for (size_t i = 0; i < answer->header_count; i++) {
        tn_put_array_begin(writer);
        tn_put_string(writer, answer->headers[i].name);
        tn_put_string(writer, answer->headers[i].value);
        tn_put_array_end(writer);
    }
    tn_put_array_end(writer);
    tn_put_key(writer, "body");
    tn_put_bytes(writer, answer->body, answer->body_length);
    tn_put_object_end(writer);
    if (tn_value_json(tn_writer_value(writer), &text, &length) != TN_OK)
        abort();
    pthread_mutex_lock(&output);
    puts(text);
    fflush(stdout);
    pthread_mutex_unlock(&output);
    tn_text_free(text);
    tn_writer_free(writer);
}

static void read_credentials(HttpGrant *grant, HttpCredential *credentials, tn_value list)
{
    static const char *const kinds[] = {"header", "query", "cookie", "basic"};
    tn_cursor cursor = {0};

    while (grant->credential_count < LIST && tn_value_next(list, &cursor)) {
        HttpCredential *one = &credentials[grant->credential_count++];
        const char *kind = text_of(cursor.value, "kind");
        for (size_t i = 0; kind && i < 4; i++) {
            if (strcmp(kind, kinds[i]) == 0)
                one->kind = (HttpCredentialKind)i;
        }
        one->name = text_of(cursor.value, "name");
        one->prefix = text_of(cursor.value, "prefix");
        one->value = text_of(cursor.value, "value");
        one->reference = text_of(cursor.value, "reference");
    }
    grant->credentials = credentials;
}

static size_t read_grants(Job *job, tn_value list)
{
    tn_cursor cursor = {0}, inner;
    size_t count = 0;

    for (; count < LIST && tn_value_next(list, &cursor); count++) {
        HttpGrant *grant = &job->grants[count];
        grant->origin = text_of(cursor.value, "origin");
        grant->path = text_of(cursor.value, "path");
        grant->private_addresses = tn_value_bool(tn_value_member(cursor.value, "private"));
        inner = (tn_cursor){0};
        tn_value methods = tn_value_member(cursor.value, "methods");
        while (grant->method_count < LIST && tn_value_next(methods, &inner)) {
            job->methods[count][grant->method_count++] = keep(inner.value);
        }
        grant->methods = job->methods[count];
        read_credentials(grant, job->credentials[count],
                         tn_value_member(cursor.value, "credentials"));
    }
    return count;
}

static size_t read_headers(Job *job, tn_value list)
{
    tn_cursor cursor = {0};
    size_t count = 0;

    while (count < LIST && tn_value_next(list, &cursor)) {
        tn_cursor pair = {0};
        const char *text[2] = {"", ""};
        for (size_t i = 0; i < 2 && tn_value_next(cursor.value, &pair); i++) {
            text[i] = keep(pair.value);
        }
        job->headers[count++] = (HttpHeader){text[0], text[1]};
    }
    return count;
}

static void *run(void *context)
{
    Job *job = context;
    tn_value command = tn_writer_value(job->command);
    const char *redirect = text_of(command, "redirect"), *body = text_of(command, "body");
    HttpRequest request = {.method = text_of(command, "method"),
                           .url = text_of(command, "url"),
                           .headers = job->headers,
                           .header_count = read_headers(job, tn_value_member(command, "headers")),
                           .body = body,
                           .body_length = body ? strlen(body) : 0,
                           .grants = job->grants,
                           .grant_count = read_grants(job, tn_value_member(command, "grants")),
                           .missing_grant = text_of(command, "missing"),
                           .timeout_ms = (uint32_t)int_of(command, "timeoutMs"),
                           .body_most = (uint64_t)int_of(command, "bodyMost"),
                           .number = (uint64_t)int_of(command, "number")};

    if (redirect)
        request.redirect = strcmp(redirect, "error") == 0    ? HTTP_REDIRECT_ERROR
                           : strcmp(redirect, "manual") == 0 ? HTTP_REDIRECT_MANUAL
                                                             : HTTP_REDIRECT_FOLLOW;
    http_wait(client, &request, on_answer, job);
    return NULL;
}

/* What is wrong with an origin. */
static void judge(const char *origin)
{
    Origin read;
    const char *fault = origin_read(origin, strlen(origin), &read);

    pthread_mutex_lock(&output);
    printf("{\"id\": 0, \"fault\": %s}\n", fault ? "true" : "false");
    fflush(stdout);
    pthread_mutex_unlock(&output);
}

static void finish(Job *job)
{
    if (job->begun)
        pthread_join(job->thread, NULL);
    tn_writer_free(job->command);
}

int main(int count, char **arguments)
{
    HttpClientOptions options = {.open_most = 8,
                                 .resolve = (const char *const *)(void *)(arguments + 1)};
    char *line = NULL;
    size_t room = 0, used = 0;
    ssize_t length;

    (void)count;
    if (http_client_new(&options, &client) != TN_OK)
        return 1;
    while ((length = getline(&line, &room, stdin)) > 0 && used < JOBS) {
        tn_writer *command;
        if (tn_writer_new(&command) != TN_OK || tn_put_json(command, line, (size_t)length) != TN_OK)
            return 1;
        jobs[used].command = command;
        const char *origin = text_of(tn_writer_value(command), "origin");
        int64_t number = int_of(tn_writer_value(command), "abort");
        if (origin)
            judge(origin);
        else if (number)
            http_abort(client, (uint64_t)number);
        else if (!(jobs[used].begun =
                       pthread_create(&jobs[used].thread, NULL, run, &jobs[used]) == 0))
            return 1;
        used++;
    }
    http_client_free(client); /* what is open ends */
    for (size_t i = 0; i < used; i++)
        finish(&jobs[i]);
    for (Text *next; texts; texts = next) {
        next = texts->next;
        free(texts);
    }
    free(line);
    return 0;
}
