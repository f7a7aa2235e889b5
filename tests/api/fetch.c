/* fetch as an embedder has it: where it is, what a policy says of it, secrets, overrides, runs and
 * engines that end while a request is open. */
#include <arpa/inet.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include "try.h"

/* ---- a server: every request is answered by what it was, "/never" by nothing ---- */

typedef struct Web {
    int socket;
    unsigned port;
    pthread_t thread;
    unsigned requests; /* atomic */
} Web;

static void *serve(void *context)
{
    Web *web = context;
    char request[4096], answer[8192];
    int client;

    while ((client = accept(web->socket, NULL, NULL)) >= 0) {
        ssize_t length = recv(client, request, sizeof request - 1, 0);
        __atomic_fetch_add(&web->requests, 1, __ATOMIC_RELAXED);
        request[length > 0 ? length : 0] = 0;
        if (strncmp(request, "GET /never", 10) == 0) {
            (void)recv(client, answer, sizeof answer, 0); /* until the other side leaves */
        } else {
            int size =
                snprintf(answer, sizeof answer,
                         "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: %zu\r\n\r\n"
                         "%s",
                         strlen(request), request);
            (void)send(client, answer, (size_t)size, MSG_NOSIGNAL);
        }
        close(client);
    }
    return NULL;
}

static void web_open(Web *web)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t size = sizeof address;

    web->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    CHECK(bind(web->socket, (struct sockaddr *)&address, size) == 0 && listen(web->socket, 8) == 0);
    CHECK(getsockname(web->socket, (struct sockaddr *)&address, &size) == 0);
    web->port = ntohs(address.sin_port);
    CHECK(pthread_create(&web->thread, NULL, serve, web) == 0);
}

static void web_close(Web *web)
{
    shutdown(web->socket, SHUT_RDWR);
    pthread_join(web->thread, NULL);
    close(web->socket);
}

/* ---- a run under a policy ---- */

static void with_fetch(tn_engine *engine)
{
    CHECK(tn_engine_add_fetch(engine) == TN_OK);
}

static tn_policy *policy_of(const char *json)
{
    tn_policy *policy = NULL;
    char *fault = NULL;

    CHECK(tn_policy_new(json, strlen(json), &policy, &fault) == TN_OK);
    if (fault)
        fprintf(stderr, "%s\n", fault);
    tn_text_free(fault);
    return policy;
}

static const char *run_under(Try *try, const tn_policy *policy, const char *text)
{
    tn_run_options options = try_options(try);
    size_t length;

    options.policy = policy;
    if (!try_program(try, text) ||
        !CHECK(tn_run_start(try->program, &options, &try->run) == TN_OK) || !try_finish(try))
        return "";
    tn_text_free(try->json);
    try->json = NULL;
    CHECK(tn_outcome_json(try->outcome, &try->json, &length) == TN_OK);
    return try->json ? try->json : "";
}

static bool has(const char *json, const char *part)
{
    if (strstr(json, part))
        return true;
    fprintf(stderr, "%s\n", json);
    return false;
}

/* ---- tests ---- */

static void where_it_is(void)
{
    Try without = {0}, with = {.setup = with_fetch};
    static const char names[] = "[typeof fetch, typeof Request, typeof Blob, typeof URL]";

    CHECK(has(run_under(&without, NULL, names),
              "[\"undefined\",\"undefined\",\"undefined\",\"function\"]"));
    CHECK(tn_engine_add_fetch(without.engine) == TN_ERR_STATE);
    CHECK(has(run_under(&with, NULL, names),
              "[\"function\",\"function\",\"function\",\"function\"]"));
    CHECK(has(run_under(&with, NULL, "await fetch('https://a.example/')"), "\"denied\""));
    CHECK(has(run_under(&with, NULL, "(await new Response('é').bytes()).length"), "\"value\":2"));
    try_end(&without);
    try_end(&with);

    tn_engine *engine = NULL;
    CHECK(tn_engine_new(NULL, &engine) == TN_OK);
    CHECK(tn_engine_add_fetch(engine) == TN_OK);
    CHECK(tn_engine_add_function(engine, "fetch.get", (tn_function)(void *)where_it_is, NULL, 0) ==
          TN_OK);
    CHECK(tn_engine_open(engine) == TN_ERR_STATE);
    tn_engine_free(engine);
}

static void secrets(void)
{
    Web web = {0};
    Try try = {.setup = with_fetch};
    char json[600], program[200];
    tn_policy *policy;

    web_open(&web);
    snprintf(json, sizeof json,
             "{\"fetch\":[{\"origin\":\"http://127.0.0.1:%u\",\"credentials\":["
             "{\"bearer\":\"vault:one\"},{\"query\":\"key\",\"value\":\"vault:two\"},"
             "{\"header\":\"X-Again\",\"value\":\"vault:one\"}]}]}",
             web.port);
    policy = policy_of(json);
    CHECK(tn_policy_fetches(policy) && !tn_policy_fetches(NULL));
    CHECK(strcmp(tn_policy_secret(policy, 0), "vault:one") == 0);
    CHECK(strcmp(tn_policy_secret(policy, 2), "vault:one") == 0);
    CHECK(tn_policy_secret(policy, 3) == NULL);
    CHECK(tn_policy_set_secret(policy, "vault:three", "x") == TN_ERR_NOT_FOUND);
    snprintf(program, sizeof program, "await (await fetch('http://127.0.0.1:%u/x')).text()",
             web.port);
    CHECK(has(run_under(&try, policy, program), "vault:one"));
    CHECK(tn_policy_set_secret(policy, "vault:one", "first-secret") == TN_OK);
    CHECK(tn_policy_set_secret(policy, "vault:two", "second secret") == TN_OK);
    const char *told = run_under(&try, policy, program);
    CHECK(has(told, "GET /x?key=[secret] HTTP/1.1") &&
          has(told, "Authorization: Bearer [secret]") && has(told, "X-Again: [secret]"));
    CHECK(!strstr(told, "first") && !strstr(told, "second"));
    tn_policy_free(policy);
    try_end(&try);
    web_close(&web);
}

static void ask_original(void *user, tn_call *call)
{
    unsigned *count = user;

    ++*count;
    CHECK(tn_call_original(call, (tn_value){0}, NULL, NULL) == TN_OK);
}

static void policies(void)
{
    Web web = {0};
    Try try = {.setup = with_fetch};
    char url[64], program[300];
    tn_policy *policy = policy_of("{}");
    unsigned count = 0;

    web_open(&web);
    snprintf(url, sizeof url, "http://127.0.0.1:%u/a/", web.port);
    CHECK(tn_policy_add_fetch(policy, "a.example") == TN_ERR_ARGUMENT);
    CHECK(tn_policy_add_fetch(policy, "https://a.example?x") == TN_ERR_ARGUMENT);
    CHECK(tn_policy_add_fetch(policy, url) == TN_OK);
    CHECK(tn_policy_override(policy, "fetch.get", ask_original, &count) == TN_OK);
    snprintf(
        program, sizeof program,
        "const r = await fetch('%sb'); let e; try { await fetch('%s../x') } catch (x) { e = x }"
        "[r.status, e.name, e.code]",
        url, url);
    CHECK(has(run_under(&try, policy, program), "[200,\"TypeError\",\"denied\"]") && count == 2);
    CHECK(web.requests == 1);
    tn_policy_free(policy);
    try_end(&try);
    web_close(&web);
}

/* Time is up, and the engine goes, while a server is silent. */
static void endings(void)
{
    Web web = {0};
    Try try = {.setup = with_fetch, .limits.wall_ms = 300};
    tn_run_options options;
    tn_run_state state = TN_RUN_READY;
    char url[64], program[200];
    tn_policy *policy = policy_of("{}");

    web_open(&web);
    snprintf(url, sizeof url, "http://127.0.0.1:%u", web.port);
    CHECK(tn_policy_add_fetch(policy, url) == TN_OK);
    snprintf(program, sizeof program, "await fetch('%s/never')", url);
    CHECK(has(run_under(&try, policy, program), "\"limit\""));
    try.limits.wall_ms = 30000;
    try_program(&try, program);
    options = try_options(&try);
    options.policy = policy;
    CHECK(tn_run_start(try.program, &options, &try.run) == TN_OK);
    CHECK(tn_run_step(try.run, &state) == TN_OK && state == TN_RUN_WAITING);
    while (__atomic_load_n(&web.requests, __ATOMIC_RELAXED) < 2)
        usleep(1000);
    try_clear(&try);
    tn_policy_free(policy); /* what is still open does not look at it */
    try_end(&try);
    web_close(&web);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"where it is", where_it_is}, {"secrets", secrets},
               {"policies", policies}, {"endings", endings});
}
