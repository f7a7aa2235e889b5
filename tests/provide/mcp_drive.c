/* The MCP client alone, driven by lines of JSON: a command each on standard input, an answer or an
 * event each on standard output. No realm and no engine: calls are made as a realm's port makes
 * them. tests/provide/mcp_*.py hold the conversations. */
#include <dirent.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "calls.h"
#include "mcp.h"
#include "memory.h"

enum { SERVERS = 64, CALLS = 20000, STRINGS = 64 };

static McpClient *client;
static McpServer *servers[SERVERS];
static Registry registry;
static Journal journal;
static Calls calls;
static Wake *wake;
static uint32_t generation;
static int64_t id_of_call[CALLS];
static pthread_mutex_t output = PTHREAD_MUTEX_INITIALIZER;
static pthread_mutex_t answering = PTHREAD_MUTEX_INITIALIZER; /* guards the next three */
static McpQuestion *held; /* when told to wait before answering */
static char action[16] = "accept";
static char content[4096] = "{}";

/* ---- output ---- */

static void put(tn_writer *writer)
{
    char *text;
    size_t length;

    if (tn_value_json(tn_writer_value(writer), &text, &length) == TN_OK) {
        pthread_mutex_lock(&output);
        puts(text);
        fflush(stdout);
        pthread_mutex_unlock(&output);
        tn_text_free(text);
    } else {
        pthread_mutex_lock(&output);
        puts("{\"event\":\"unwritable\"}");
        fflush(stdout);
        pthread_mutex_unlock(&output);
    }
    tn_writer_free(writer);
}

static tn_writer *begin(void)
{
    tn_writer *writer;

    if (tn_writer_new(&writer) != TN_OK)
        abort();
    tn_put_object_begin(writer);
    return writer;
}

static void put_member(tn_writer *writer, const char *name, const char *text)
{
    tn_put_key(writer, name);
    if (text)
        tn_put_string(writer, text);
    else
        tn_put_null(writer);
}

static void end(tn_writer *writer)
{
    tn_put_object_end(writer);
    put(writer);
}

/* ---- input ---- */

static int64_t int_of(tn_value command, const char *name)
{
    int64_t number = 0;

    (void)tn_value_int(tn_value_member(command, name), &number);
    return number;
}

static char *string_of(tn_value value)
{
    size_t length;
    const char *text = tn_value_text(value, &length);

    return text ? strndup(text, length) : NULL;
}

static const char *const *strings_of(tn_value list)
{
    tn_cursor cursor = {0};
    size_t count = 0;
    const char **strings = calloc(STRINGS, sizeof *strings);

    while (strings && count + 1 < STRINGS && tn_value_next(list, &cursor))
        strings[count++] = string_of(cursor.value);
    return strings;
}

static void free_strings(const char *const *strings)
{
    for (size_t i = 0; strings[i]; i++)
        free((char *)(uintptr_t)strings[i]);
    free((char **)(uintptr_t)strings);
}

/* ---- what the host is told ---- */

static void on_changed(void *user, McpServer *server)
{
    tn_writer *writer = begin();

    (void)user;
    put_member(writer, "event", "changed");
    put_member(writer, "server", mcp_server_name(server));
    end(writer);
}

static void on_progress(void *user, const tn_call *call, double progress, double total,
                        const char *message)
{
    tn_writer *writer = begin();

    (void)user;
    (void)call;
    put_member(writer, "event", "progress");
    tn_put_key(writer, "progress");
    tn_put_number(writer, progress);
    tn_put_key(writer, "total");
    tn_put_number(writer, total);
    put_member(writer, "message", message);
    end(writer);
}

static void on_log(void *user, McpServer *server, const char *level, const char *text)
{
    tn_writer *writer = begin();

    (void)user;
    put_member(writer, "event", "log");
    put_member(writer, "server", mcp_server_name(server));
    put_member(writer, "level", level);
    put_member(writer, "text", text);
    end(writer);
}

static void answer(McpQuestion *question)
{
    tn_writer *writer;
    McpAction taken = strcmp(action, "accept") == 0    ? MCP_ACCEPT
                      : strcmp(action, "decline") == 0 ? MCP_DECLINE
                                                       : MCP_CANCEL;

    if (tn_writer_new(&writer) != TN_OK || tn_put_json(writer, content, strlen(content)) != TN_OK)
        abort();
    mcp_question_answer(question, taken, tn_writer_value(writer));
    tn_writer_free(writer);
}

static void on_elicit(void *user, McpQuestion *question)
{
    tn_writer *writer = begin();

    (void)user;
    put_member(writer, "event", "elicit");
    put_member(writer, "server", mcp_server_name(mcp_question_server(question)));
    tn_put_key(writer, "params");
    if (tn_value_type(mcp_question_params(question)) == TN_TYPE_NONE)
        tn_put_null(writer);
    else
        tn_put_value(writer, mcp_question_params(question));
    pthread_mutex_lock(&answering);
    if (strcmp(action, "hold") == 0)
        held = question;
    else
        answer(question);
    pthread_mutex_unlock(&answering);
    end(writer);
}

/* ---- calls ---- */

static void invoke(void *context, tn_call *call)
{
    int64_t server = 0;
    char *tool = string_of(tn_call_argument(call, 1));

    (void)context;
    (void)tn_value_int(tn_call_argument(call, 0), &server);
    if (!servers[server])
        tn_call_fail(call, "none", "there is no such server", false);
    else
        mcp_call(servers[server], tool, tn_call_argument(call, 2), call);
    free(tool);
}

static void begin_run(void)
{
    static const CallLimits limits = {.calls = CALLS,
                                      .calls_open = CALLS,
                                      .reply_bytes = 64 * 1024 * 1024,
                                      .argument_bytes = 64 * 1024 * 1024,
                                      .held_bytes = SIZE_MAX / 2};

    journal_init(&journal, memory_default(), CALLS);
    calls_init(&calls, memory_default(), &registry, &journal, wake, &limits, ++generation, NULL);
}

static void end_run(void)
{
    calls_release(&calls);
    journal_release(&journal);
}

static void put_answer(int64_t id, bool failed, const uint8_t *bytes, size_t length)
{
    tn_writer *writer = begin();

    tn_put_key(writer, "id");
    tn_put_int(writer, id);
    tn_put_key(writer, failed ? "error" : "value");
    tn_put_value(writer, tn_value_view(bytes, length));
    end(writer);
}

static void deliver(void)
{
    tn_call *call;

    wake_clear(wake);
    while ((call = calls_next_done(&calls)) != NULL) {
        CallDelivery delivery = calls_delivery(call);
        put_answer(id_of_call[delivery.call_id], delivery.failed, delivery.bytes, delivery.length);
        calls_delivered(&calls, call);
    }
}

static void append_argument(Buf *out, tn_value value)
{
    tn_writer *writer;

    if (tn_writer_new(&writer) != TN_OK)
        abort();
    tn_put_value(writer, value);
    tn_value whole = tn_writer_value(writer);
    uint32_t length = (uint32_t)(whole.end - whole.start);
    buf_append(out, &length, sizeof length);
    buf_append(out, whole.start, length);
    tn_writer_free(writer);
}

static void make_call(tn_value command)
{
    CallPort port = calls_port(&calls);
    CallRequest request = {0};
    CallReply reply;
    Buf arguments;

    buf_init(&arguments, memory_default(), SIZE_MAX);
    append_argument(&arguments, tn_value_member(command, "server"));
    append_argument(&arguments, tn_value_member(command, "tool"));
    append_argument(&arguments, tn_value_member(command, "arguments"));
    request.arguments = arguments.data;
    request.length = arguments.length;
    id_of_call[calls.next_id + 1] = int_of(command, "id");
    port.call(port.context, &request, &reply);
    if (reply.answer == CALL_ANSWER_STOP)
        abort();
    if (reply.answer != CALL_ANSWER_PENDING)
        put_answer(int_of(command, "id"), reply.answer == CALL_ANSWER_ERROR, reply.bytes,
                   reply.length);
    buf_release(&arguments);
}

/* ---- the catalogue, on a thread of its own since it waits ---- */

typedef struct Asked {
    McpServer *server;
    int64_t id;
    pthread_t thread;
} Asked;

static void put_catalogue(int64_t id, const McpCatalogue *catalogue)
{
    tn_writer *writer = begin();

    tn_put_key(writer, "id");
    tn_put_int(writer, id);
    put_member(writer, "error", catalogue->error);
    put_member(writer, "name", catalogue->server_name);
    put_member(writer, "version", catalogue->server_version);
    put_member(writer, "instructions", catalogue->instructions);
    put_member(writer, "revision", catalogue->revision);
    if (!catalogue->error) {
        tn_put_key(writer, "tools");
        tn_put_value(writer, catalogue->tools);
        tn_put_key(writer, "about");
        tn_put_value(writer, catalogue->about);
    }
    tn_put_key(writer, "notes");
    tn_put_array_begin(writer);
    for (size_t i = 0; i < catalogue->note_count; i++)
        tn_put_string(writer, catalogue->notes[i]);
    tn_put_array_end(writer);
    end(writer);
}

static void *ask(void *context)
{
    Asked *asked = context;
    const McpCatalogue *catalogue;
    tn_status status = mcp_server_catalogue(asked->server, &catalogue);

    if (status == TN_OK) {
        put_catalogue(asked->id, catalogue);
        mcp_catalogue_free(catalogue);
    } else {
        tn_writer *writer = begin();
        tn_put_key(writer, "id");
        tn_put_int(writer, asked->id);
        tn_put_key(writer, "status");
        tn_put_int(writer, status);
        end(writer);
    }
    free(asked);
    return NULL;
}

static void ask_catalogue(tn_value command)
{
    Asked *asked = calloc(1, sizeof *asked);
    pthread_t thread;

    if (!asked)
        abort();
    asked->server = servers[int_of(command, "server")];
    asked->id = int_of(command, "id");
    if (pthread_create(&thread, NULL, ask, asked) != 0)
        abort();
    pthread_detach(thread);
}

/* ---- memory that is refused once, at the n-th request ---- */

static int64_t refuse_at;

static void *refusing(void *context, void *old, size_t old_bytes, size_t new_bytes)
{
    const tn_allocator *usual = memory_default();

    (void)context;
    if (new_bytes > old_bytes && __atomic_sub_fetch(&refuse_at, 1, __ATOMIC_RELAXED) == 0)
        return NULL;
    return usual->resize(usual->context, old, old_bytes, new_bytes);
}

/* ---- commands ---- */

static void make_client(tn_value command)
{
    McpClientOptions options = {0};
    const char *const *environment = strings_of(tn_value_member(command, "environment"));

    static const tn_allocator refuser = {NULL, refusing};

    if (int_of(command, "refuse") > 0) {
        __atomic_store_n(&refuse_at, int_of(command, "refuse"), __ATOMIC_RELAXED);
        options.allocator = &refuser;
    }
    options.environment = environment;
    options.message_bytes = (uint64_t)int_of(command, "message_bytes");
    options.listed_tools = (uint32_t)int_of(command, "listed_tools");
    options.host.changed = on_changed;
    options.host.progress = on_progress;
    options.host.log = tn_value_bool(tn_value_member(command, "log")) ? on_log : NULL;
    options.host.elicit = tn_value_bool(tn_value_member(command, "elicit")) ? on_elicit : NULL;
    client = NULL;
    if (mcp_client_new(&options, &client) != TN_OK && !options.allocator)
        abort();
    free_strings(environment);
}

static void add_server(tn_value command)
{
    const char *const *arguments = strings_of(tn_value_member(command, "arguments"));
    const char *const *environment = strings_of(tn_value_member(command, "environment"));
    const char *const *headers = strings_of(tn_value_member(command, "headers"));
    McpServerOptions options = {.arguments = arguments,
                                .environment = environment,
                                .headers = headers,
                                .start_ms = (uint32_t)int_of(command, "start_ms"),
                                .call_ms = (uint32_t)int_of(command, "call_ms"),
                                .call_most_ms = (uint32_t)int_of(command, "call_most_ms")};
    char *name = string_of(tn_value_member(command, "name"));
    char *program = string_of(tn_value_member(command, "command"));
    char *folder = string_of(tn_value_member(command, "folder"));
    char *url = string_of(tn_value_member(command, "url"));

    options.name = name;
    options.command = program;
    options.folder = folder;
    options.url = url;
    servers[int_of(command, "server")] = NULL;
    if (client)
        (void)mcp_server_add(client, &options, &servers[int_of(command, "server")]);
    free(name);
    free(program);
    free(folder);
    free(url);
    free_strings(arguments);
    free_strings(environment);
    free_strings(headers);
}

static int count_entries(const char *folder)
{
    DIR *dir = opendir(folder);
    int count = -3; /* . and .. and this one */

    while (dir && readdir(dir))
        count++;
    if (dir)
        closedir(dir);
    return count;
}

static void put_state(tn_value command)
{
    tn_writer *writer = begin();

    tn_put_key(writer, "id");
    tn_put_int(writer, int_of(command, "id"));
    tn_put_key(writer, "descriptors");
    tn_put_int(writer, count_entries("/proc/self/fd"));
    tn_put_key(writer, "threads");
    tn_put_int(writer, count_entries("/proc/self/task") + 1);
    end(writer);
}

/* What a child of ours may do with our client: nothing, without hanging. */
static void try_fork(tn_value command)
{
    int how = -1;
    const McpCatalogue *catalogue;
    pid_t pid = fork();

    if (pid == 0) {
        alarm(5);
        tn_status status = mcp_server_catalogue(servers[0], &catalogue);
        mcp_server_begin(servers[0]);
        mcp_client_free(client);
        _exit(status == TN_ERR_STATE ? 7 : 1);
    }
    (void)waitpid(pid, &how, 0);
    tn_writer *writer = begin();
    tn_put_key(writer, "id");
    tn_put_int(writer, int_of(command, "id"));
    tn_put_key(writer, "child");
    tn_put_int(writer, WIFEXITED(how) ? WEXITSTATUS(how) : -1);
    end(writer);
}

static void put_lines(tn_value command)
{
    tn_writer *writer = begin();
    char *text = NULL;
    size_t length;

    if (mcp_server_lines(servers[int_of(command, "server")], &text, &length) != TN_OK)
        abort();
    tn_put_key(writer, "id");
    tn_put_int(writer, int_of(command, "id"));
    put_member(writer, "lines", text);
    end(writer);
    tn_text_free(text);
}

static void set_answer(tn_value command)
{
    char *json = NULL;
    size_t length;
    char *name = string_of(tn_value_member(command, "action"));

    pthread_mutex_lock(&answering);
    snprintf(action, sizeof action, "%s", name);
    free(name);
    if (tn_value_json(tn_value_member(command, "content"), &json, &length) == TN_OK)
        snprintf(content, sizeof content, "%s", json);
    tn_text_free(json);
    if (held && strcmp(action, "hold") != 0) {
        McpQuestion *question = held;
        held = NULL;
        answer(question);
    }
    pthread_mutex_unlock(&answering);
}

static void free_client(tn_value command)
{
    tn_writer *writer = begin();

    end_run();
    mcp_client_free(client);
    begin_run();
    client = NULL;
    tn_put_key(writer, "id");
    tn_put_int(writer, int_of(command, "id"));
    put_member(writer, "event", "freed");
    end(writer);
}

static void obey(tn_value command)
{
    static const struct {
        const char *name;
        void (*run)(tn_value command);
    } table[] = {{"client", make_client},      {"add", add_server},    {"call", make_call},
                 {"catalogue", ask_catalogue}, {"state", put_state},   {"fork", try_fork},
                 {"lines", put_lines},         {"answer", set_answer}, {"free", free_client}};
    char *name = string_of(tn_value_member(command, "op"));

    if (strcmp(name, "cancel") == 0) {
        end_run();
        begin_run();
    } else if (strcmp(name, "begin") == 0) {
        mcp_server_begin(servers[int_of(command, "server")]);
    } else {
        for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
            if (strcmp(name, table[i].name) == 0)
                table[i].run(command);
        }
    }
    free(name);
}

static void obey_line(const char *line, size_t length)
{
    tn_writer *writer;

    if (tn_writer_new(&writer) != TN_OK || tn_put_json(writer, line, length) != TN_OK)
        abort();
    obey(tn_writer_value(writer));
    tn_writer_free(writer);
}

/* All commands that have come; false at the end. */
static bool read_commands(Buf *input)
{
    static char space[65536];
    ssize_t count = read(0, space, sizeof space);
    size_t begin = 0;

    if (count <= 0)
        return false;
    buf_append(input, space, (size_t)count);
    for (size_t i = input->length - (size_t)count; i < input->length; i++) {
        if (input->data[i] != '\n')
            continue;
        obey_line((const char *)input->data + begin, i - begin);
        begin = i + 1;
    }
    memmove(input->data, input->data + begin, input->length - begin);
    buf_truncate(input, input->length - begin);
    return true;
}

int main(void)
{
    Provider provider = {.invoke = invoke};
    bool more = true;
    Buf held_input;

    buf_init(&held_input, memory_default(), SIZE_MAX);
    registry_init(&registry, memory_default());
    if (registry_add(&registry, ENTRY_FUNCTION, "mcp.call", 0, provider) != TN_OK ||
        registry_close(&registry) != TN_OK)
        return 1;
    wake = wake_new(memory_default());
    begin_run();
    while (more) {
        struct pollfd waits[2] = {{0, POLLIN, 0}, {wake_descriptor(wake), POLLIN, 0}};
        if (poll(waits, 2, -1) < 0)
            continue;
        deliver();
        if (waits[0].revents)
            more = read_commands(&held_input);
    }
    buf_release(&held_input);
    end_run();
    mcp_client_free(client);
    wake_unref(wake);
    registry_release(&registry);
    return 0;
}
