/* The three tools. */
#include "inside.h"

#include <stdio.h>
#include <string.h>

/* Schemas as clients read them; names and sizes within what the known ones take. */
static const char search_tool[] =
    "{\"name\":\"search\",\"title\":\"Find functions\","
    "\"description\":\"Find functions that programs for `run` may call, by plain words. Gives "
    "signatures, best first; the last line says COMPLETE or PARTIAL.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"query\":{\"type\":\"string\",\"description\":\"What is to be done, or a package's name; "
    "empty "
    "lists everything.\"},"
    "\"tokens\":{\"type\":\"integer\",\"minimum\":100,\"maximum\":20000,\"description\":\"How long "
    "the "
    "answer may be. 2000 if not "
    "given.\"}},\"required\":[\"query\"],\"additionalProperties\":false},"
    "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";
static const char describe_tool[] =
    "{\"name\":\"describe\",\"title\":\"Declarations of functions\","
    "\"description\":\"The exact TypeScript declarations of functions, with the types they need.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"names\":{\"type\":\"string\",\"description\":\"Names as in github.listIssues, github.* or "
    "github; several separated by blanks.\"},"
    "\"tokens\":{\"type\":\"integer\",\"minimum\":100,\"maximum\":20000,\"description\":\"How long "
    "the "
    "answer may be. 2000 if not "
    "given.\"}},\"required\":[\"names\"],\"additionalProperties\":false},"
    "\"annotations\":{\"readOnlyHint\":true,\"openWorldHint\":false}}";
static const char run_tool[] =
    "{\"name\":\"run\",\"title\":\"Run a program\","
    "\"description\":\"Check a TypeScript program and run it where it can do no harm. Top-level "
    "await "
    "and return; call functions as globals (github.listIssues({...})). Gives its value, console, "
    "calls and, if it failed, findings or the error with its line.\","
    "\"inputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"code\":{\"type\":\"string\",\"description\":\"The whole program.\"},"
    "\"language\":{\"type\":\"string\",\"enum\":[\"typescript\",\"javascript\"]},"
    "\"input\":{\"type\":\"object\",\"description\":\"Its members are names in the program.\"},"
    "\"expect\":{\"type\":\"string\",\"description\":\"The TypeScript type its value must have.\"},"
    "\"wallMs\":{\"type\":\"integer\",\"minimum\":1,\"description\":\"Time it may take.\"},"
    "\"tokens\":{\"type\":\"integer\",\"minimum\":100,\"maximum\":20000,\"description\":\"How long "
    "the "
    "answer may be.\"}},\"required\":[\"code\"],\"additionalProperties\":false},"
    "\"outputSchema\":{\"type\":\"object\",\"properties\":{"
    "\"schemaVersion\":{\"type\":\"integer\"},"
    "\"status\":{\"type\":\"string\",\"enum\":[\"ok\",\"refused\",\"failed\",\"limit\",\"denied\","
    "\"suspended\",\"cancelled\",\"crashed\"]},\"value\":{},"
    "\"valueUri\":{\"type\":\"string\",\"description\":\"Where the whole value is read if it was "
    "too "
    "long for here.\"}},\"required\":[\"status\"]},"
    "\"annotations\":{\"readOnlyHint\":false,\"openWorldHint\":true}}";

void tools_list(const Request *request)
{
    static const char *const tools[] = {search_tool, describe_tool, run_tool};
    tn_writer *writer = result_begin(request);

    if (writer) {
        tn_put_key(writer, "tools");
        tn_put_array_begin(writer);
        for (size_t i = 0; i < sizeof tools / sizeof *tools; i++) {
            if (tn_put_json(writer, tools[i], strlen(tools[i])) != TN_OK)
                tn_put_null(writer);
        }
        tn_put_array_end(writer);
        if (request->modern) {
            tn_put_key(writer, "ttlMs");
            tn_put_int(writer, 60000);
            put_text(writer, "cacheScope", "private");
        }
    }
    result_end(request, writer);
}

tn_writer *tool_answer_begin(const Request *request, const char *text, size_t length, bool is_error)
{
    tn_writer *writer = result_begin(request);

    if (!writer)
        return NULL;
    tn_put_key(writer, "content");
    tn_put_array_begin(writer);
    tn_put_object_begin(writer);
    put_text(writer, "type", "text");
    put_text_of(writer, "text", text, length);
    tn_put_object_end(writer);
    tn_put_array_end(writer);
    tn_put_key(writer, "isError");
    tn_put_bool(writer, is_error);
    return writer;
}

static void answer_text(const Request *request, const char *text, bool is_error)
{
    result_end(request, tool_answer_begin(request, text, strlen(text), is_error));
}

static unsigned tokens_of(tn_value arguments)
{
    int64_t tokens = 0;

    if (!tn_value_int(tn_value_member(arguments, "tokens"), &tokens) || tokens < 0)
        return 0;
    return tokens > 20000 ? 20000 : (unsigned)tokens;
}

typedef tn_status (*Ask)(tn_engine *engine, const char *words, unsigned tokens, char **out_text,
                         size_t *out_length);

static void look_up(const Request *request, tn_value arguments, const char *member, Ask ask)
{
    char words[1024], message[160];
    size_t length;
    const char *text = member_text(arguments, member, &length);
    char *answer = NULL;
    tn_status status;

    if (!text) {
        (void)snprintf(message, sizeof message, "the argument `%s` is a text, and is missing",
                       member);
        answer_text(request, message, true);
        return;
    }
    if (length >= sizeof words)
        length = sizeof words - 1;
    memcpy(words, text, length);
    words[length] = '\0';
    status = ask(request->door->engine, words, tokens_of(arguments), &answer, &length);
    if (status != TN_OK)
        answer_text(request, tn_status_text(status), true);
    else
        result_end(request, tool_answer_begin(request, answer, length, false));
    tn_text_free(answer);
}

void tool_call(Request *request)
{
    size_t length;
    const char *name = member_text(request->params, "name", &length);
    tn_value arguments = tn_value_member(request->params, "arguments");

    if (text_is(name, length, "search"))
        look_up(request, arguments, "query", tn_engine_search);
    else if (text_is(name, length, "describe"))
        look_up(request, arguments, "names", tn_engine_describe);
    else if (text_is(name, length, "run"))
        job_begin(request, arguments);
    else
        answer_error(request, WRONG_PARAMS,
                     "there is no such tool: the tools are search, describe and run");
}
