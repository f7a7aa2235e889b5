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
    "\"valueBytes\":{\"type\":\"integer\"},"
    "\"valueUri\":{\"type\":\"string\",\"description\":\"Where the whole value is read if it was "
    "too "
    "long for here.\"}},\"required\":[\"status\"]},"
    "\"annotations\":{\"readOnlyHint\":false,\"openWorldHint\":true}}";

/* What a tool takes, as its schema says. */
typedef struct Argument {
    const char *name;
    tn_type type;
    bool required;
} Argument;

enum { ARGUMENTS_MAX = 6 };

typedef struct Tool {
    const char *name, *takes;
    Argument arguments[ARGUMENTS_MAX];
} Tool;

enum { SEARCH, DESCRIBE, RUN };

static const Tool tools[] = {
    {"search", "query, tokens", {{"query", TN_TYPE_TEXT, true}, {"tokens", TN_TYPE_NUMBER, false}}},
    {"describe",
     "names, tokens",
     {{"names", TN_TYPE_TEXT, true}, {"tokens", TN_TYPE_NUMBER, false}}},
    {"run",
     "code, language, input, expect, wallMs, tokens",
     {{"code", TN_TYPE_TEXT, true},
      {"language", TN_TYPE_TEXT, false},
      {"input", TN_TYPE_OBJECT, false},
      {"expect", TN_TYPE_TEXT, false},
      {"wallMs", TN_TYPE_NUMBER, false},
      {"tokens", TN_TYPE_NUMBER, false}}},
};

void tools_list(const Request *request)
{
    static const char *const schemas[] = {search_tool, describe_tool, run_tool};
    const DoorConfig *config = request->door->options.config;
    tn_writer *writer = result_begin(request);

    if (writer) {
        tn_put_key(writer, "tools");
        tn_put_array_begin(writer);
        for (size_t i = 0; i < sizeof schemas / sizeof *schemas && (!config || config->builtin);
             i++) {
            if (tn_put_json(writer, schemas[i], strlen(schemas[i])) != TN_OK)
                tn_put_null(writer);
        }
        for (size_t i = 0; config && i < config->count; i++) {
            if (config->items[i].kind == ITEM_TOOL)
                put_item(writer, &config->items[i]);
        }
        tn_put_array_end(writer);
        put_lifetime(request, writer, 60000);
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

void tool_answer(const Request *request, const char *text, bool is_error)
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

typedef tn_status (*Ask)(tn_engine *engine, const char *words, unsigned tokens,
                         const tn_policy *policy, char **out_text, size_t *out_length);

static void look_up(const Request *request, const char *member, Ask ask)
{
    tn_value arguments = tn_value_member(request->params, "arguments");
    char words[1024];
    size_t length;
    const char *text = member_text(arguments, member, &length);
    char *answer = NULL;
    tn_status status;

    if (length >= sizeof words)
        length = sizeof words - 1;
    memcpy(words, text, length);
    words[length] = '\0';
    DoorEngine *held = door_engine_take(request->door);
    status = ask(held->engine, words, tokens_of(arguments), request->door->options.policy, &answer,
                 &length);
    door_engine_give(request->door, held);
    if (status != TN_OK)
        tool_answer(request, tn_status_text(status), true);
    else
        result_end(request, tool_answer_begin(request, answer, length, false));
    tn_text_free(answer);
}

static void search(const Request *request)
{
    look_up(request, "query", tn_engine_search);
}

static void describe(const Request *request)
{
    look_up(request, "names", tn_engine_describe);
}

/* ---- arguments ---- */

enum { FAULT_BYTES = 256 };

static const Argument *argument_of(const Tool *tool, const char *name, size_t length)
{
    for (size_t i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++) {
        if (text_is(name, length, tool->arguments[i].name))
            return &tool->arguments[i];
    }
    return NULL;
}

/* False after saying why: such an argument cannot be. A null is an absent one. */
static bool fits(const Argument *argument, tn_value value, char *fault)
{
    static const char *const wanted[] = {[TN_TYPE_TEXT] = "a text",
                                         [TN_TYPE_NUMBER] = "a whole number above 0",
                                         [TN_TYPE_OBJECT] = "an object"};
    tn_type type = tn_value_type(value);
    size_t length = 0;
    const char *text = tn_value_text(value, &length);
    int64_t number = 0;
    bool good = type == argument->type;

    if (type == TN_TYPE_NULL && !argument->required)
        return true;
    if (argument->type == TN_TYPE_NUMBER)
        good = tn_value_int(value, &number) && number > 0;
    if (argument->type == TN_TYPE_TEXT && !argument->required)
        good = text && !memchr(text, '\0', length); /* it becomes a C string */
    if (!good)
        (void)snprintf(fault, FAULT_BYTES, "the argument `%s` must be %s", argument->name,
                       wanted[argument->type]);
    return good;
}

static bool language_fits(tn_value arguments, char *fault)
{
    size_t length;
    const char *language = member_text(arguments, "language", &length);

    if (!language || text_is(language, length, "typescript") ||
        text_is(language, length, "javascript"))
        return true;
    (void)snprintf(
        fault, FAULT_BYTES,
        "the argument `language` is \"typescript\" or \"javascript\"; no other runs here");
    return false;
}

static bool arguments_fit(const Tool *tool, tn_value arguments, char *fault)
{
    for (size_t i = 0; i < ARGUMENTS_MAX && tool->arguments[i].name; i++) {
        const Argument *argument = &tool->arguments[i];
        if (argument->required &&
            tn_value_type(tn_value_member(arguments, argument->name)) == TN_TYPE_NONE) {
            (void)snprintf(fault, FAULT_BYTES, "the argument `%s` is missing; %s takes %s",
                           argument->name, tool->name, tool->takes);
            return false;
        }
    }
    for (tn_cursor cursor = {0}; tn_value_next(arguments, &cursor);) {
        size_t length = 0;
        const char *name = tn_value_text(cursor.key, &length);
        const Argument *argument = argument_of(tool, name, length);
        if (!argument) {
            (void)snprintf(fault, FAULT_BYTES, "there is no argument `%.*s`; %s takes %s",
                           name && length <= 60 ? (int)length : 0, name ? name : "", tool->name,
                           tool->takes);
            return false;
        }
        if (!fits(argument, cursor.value, fault))
            return false;
    }
    return language_fits(arguments, fault);
}

/* ---- calls ---- */

static bool can_all(Can can, tn_value required)
{
    return (can.elicit ||
            tn_value_type(tn_value_member(required, "elicitation")) == TN_TYPE_NONE) &&
           (can.sample || tn_value_type(tn_value_member(required, "sampling")) == TN_TYPE_NONE) &&
           (can.roots || tn_value_type(tn_value_member(required, "roots")) == TN_TYPE_NONE);
}

/* A tool of the configuration. Its arguments are held against its schema as they came. */
static void call_item(Request *request, Item *item, tn_value arguments)
{
    tn_value required = tn_value_member(item->about, "requires");
    tn_value given =
        tn_value_type(arguments) == TN_TYPE_NONE ? tn_value_view("\xa0", 1) : arguments;
    char *why = NULL;
    tn_status status = item->input ? tn_schema_check(item->input, given, &why) : TN_OK;

    if (!can_all(can_of_request(request), required)) {
        if (request->modern)
            answer_capability(request, required);
        else
            tool_answer(request, "the client has not said that it can do what this tool needs",
                        true);
    } else if (status == TN_OK) {
        item_begin(request, item, arguments);
    } else {
        char fault[600];
        (void)snprintf(fault, sizeof fault, "the arguments do not fit: %s",
                       why ? why : tn_status_text(status));
        tool_answer(request, fault, true);
    }
    tn_text_free(why);
}

static const Tool *tool_of(const Request *request, const char *name, size_t length)
{
    const DoorConfig *config = request->door->options.config;

    for (size_t i = 0; i < sizeof tools / sizeof *tools && (!config || config->builtin); i++) {
        if (text_is(name, length, tools[i].name))
            return &tools[i];
    }
    return NULL;
}

void tool_call(Request *request)
{
    size_t length;
    const char *name = member_text(request->params, "name", &length);
    tn_value arguments = tn_value_member(request->params, "arguments");
    char fault[FAULT_BYTES] = "";
    const Tool *tool = tool_of(request, name, length);
    Item *item = tool ? NULL : item_find(request->door, ITEM_TOOL, name, length);

    if (!tool && !item)
        answer_error(request, WRONG_PARAMS,
                     request->door->options.config
                         ? "there is no such tool"
                         : "there is no such tool: the tools are search, describe and run");
    else if (tn_value_type(arguments) != TN_TYPE_NONE && tn_value_type(arguments) != TN_TYPE_OBJECT)
        answer_error(request, WRONG_PARAMS, "arguments is an object");
    else if (item)
        call_item(request, item, arguments);
    else if (!arguments_fit(tool, arguments, fault))
        tool_answer(request, fault, true);
    else if (tool == &tools[RUN])
        job_begin(request, (Task){0});
    else if (door_wait_open(request->door, 0))
        (tool == &tools[SEARCH] ? search : describe)(request);
    else
        job_begin(request, (Task){.look = tool == &tools[SEARCH] ? search : describe});
}
