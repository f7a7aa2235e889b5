/* What the server offers, in both eras. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- who we are ---- */

static void put_capability(tn_writer *writer, const char *name)
{
    tn_put_key(writer, name);
    tn_put_object_begin(writer);
    tn_put_object_end(writer);
}

/* Those of the configuration, only if it has something of the kind. */
static void put_capabilities(const Request *request, tn_writer *writer)
{
    const Door *door = request->door;

    tn_put_key(writer, "capabilities");
    tn_put_object_begin(writer);
    put_capability(writer, "tools");
    if (has_items(door, ITEM_RESOURCE))
        put_json(writer, "resources", "{\"subscribe\":true}");
    else
        put_capability(writer, "resources");
    if (has_items(door, ITEM_PROMPT))
        put_capability(writer, "prompts");
    if (has_items(door, ITEM_PROMPT) || has_items(door, ITEM_TEMPLATE))
        put_capability(writer, "completions");
    if (door->options.config && !request->modern)
        put_capability(writer, "logging");
    tn_put_object_end(writer);
}

/* A text of the configuration, or ours. */
static void put_said(const Request *request, tn_writer *writer, const char *key, const char *ours)
{
    const DoorConfig *config = request->door->options.config;
    size_t length = 0;
    const char *text = config ? member_text(config->whole, key, &length) : NULL;

    put_text_of(writer, key, text ? text : ours, text ? length : strlen(ours));
}

/* How programs are written, and what there is: in few words, since every turn carries them. */
static void put_instructions(const Request *request, tn_writer *writer)
{
    static const char how[] =
        "Compute and combine tools by writing one TypeScript program for `run` instead of many "
        "calls. Top-level await and return; the value returned (or the last expression) comes back "
        "with the console and all calls. No files, network, process or require, and fetch only if "
        "it is listed: only the functions below, as globals (github.listIssues(...)) or imports "
        "(import { listIssues } from \"github\"). The program is type-checked before anything "
        "happens; findings say what to "
        "mend. Filter and total inside the program and return only what is needed. `search` finds "
        "functions, `describe` gives their exact types.\n\n";
    static const char later[] =
        "The packages are still being opened: `search` waits for them and lists what there is.\n";
    enum { PATIENCE_MS = 4000 }; /* some clients wait ten seconds for a server to start */
    const DoorConfig *config = request->door->options.config;
    bool ours = !config || config->builtin;
    size_t said_length = 0, length = sizeof later - 1;
    const char *said = config ? member_text(config->whole, "instructions", &said_length) : NULL;
    const char *rest = later;
    char *listed = NULL, *whole = NULL;

    if (ours && door_wait_open(request->door, PATIENCE_MS)) {
        DoorEngine *held = door_engine_take(request->door);
        if (tn_engine_search(held->engine, "", 600, request->door->options.policy, &listed,
                             &length) != TN_OK)
            length = 0;
        door_engine_give(request->door, held);
        rest = listed;
    }
    int written = asprintf(&whole, "%.*s%s%s%.*s", (int)said_length, said ? said : "",
                           said && ours ? "\n\n" : "", ours ? how : "", ours ? (int)length : 0,
                           length > 0 ? rest : "");
    if (written > 0)
        put_text_of(writer, "instructions", whole, (size_t)written);
    if (written >= 0)
        free(whole);
    tn_text_free(listed);
}

static void put_server(const Request *request, tn_writer *writer)
{
    tn_put_key(writer, "serverInfo");
    tn_put_object_begin(writer);
    put_said(request, writer, "name", "tenon");
    put_said(request, writer, "title", "Tenon");
    put_said(request, writer, "version", tn_version());
    tn_put_object_end(writer);
}

/* The version that is asked for if it is spoken, else the newest with a handshake. */
static void initialize(const Request *request)
{
    static const char *const spoken[] = {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"};
    tn_writer *writer = result_begin(request);
    const char *answer = spoken[0];
    size_t length;
    const char *asked = member_text(request->params, "protocolVersion", &length);

    for (size_t i = 0; i < sizeof spoken / sizeof *spoken; i++) {
        if (text_is(asked, length, spoken[i]))
            answer = spoken[i];
    }
    request->sink->peer->can = can_of(tn_value_member(request->params, "capabilities"));
    if (writer) {
        put_text(writer, "protocolVersion", answer);
        put_capabilities(request, writer);
        put_server(request, writer);
        put_instructions(request, writer);
    }
    result_end(request, writer);
}

static void discover(const Request *request)
{
    tn_writer *writer = result_begin(request);

    if (writer) {
        put_json(writer, "supportedVersions", "[\"2026-07-28\",\"2025-11-25\"]");
        put_capabilities(request, writer);
        put_instructions(request, writer);
        put_lifetime(request, writer, door_wait_open(request->door, 0) ? 60000 : 0);
    }
    result_end(request, writer);
}

static void nothing(const Request *request)
{
    result_end(request, result_begin(request));
}

/* ---- which method ---- */

typedef struct Method {
    const char *name;
    enum { BOTH, HANDSHAKE, MODERN } era;
    enum { ALWAYS, CONFIGURED } when;
    void (*answer)(const Request *request);
} Method;

static const Method methods[] = {
    {"initialize", HANDSHAKE, ALWAYS, initialize},
    {"ping", HANDSHAKE, ALWAYS, nothing},
    {"server/discover", MODERN, ALWAYS, discover},
    {"tools/list", BOTH, ALWAYS, tools_list},
    {"resources/list", BOTH, ALWAYS, resources_list},
    {"resources/templates/list", BOTH, ALWAYS, templates_list},
    {"prompts/list", BOTH, CONFIGURED, prompts_list},
    {"completion/complete", BOTH, CONFIGURED, complete},
    {"logging/setLevel", HANDSHAKE, CONFIGURED, set_level},
    {"resources/subscribe", HANDSHAKE, CONFIGURED, watch_subscribe},
    {"resources/unsubscribe", HANDSHAKE, CONFIGURED, watch_unsubscribe},
    {"subscriptions/listen", MODERN, CONFIGURED, watch_listen},
};

/* These may begin a program, and change the request on the way. */
static const struct {
    const char *name;
    void (*answer)(Request *request);
} calls[] = {
    {"tools/call", tool_call}, {"resources/read", resources_read}, {"prompts/get", prompts_get}};

void notification_take(const Request *request)
{
    if (text_is(request->method, request->method_length, "notifications/cancelled")) {
        job_cancel(request, tn_value_member(request->params, "requestId"));
        watch_cancel(request);
    }
}

void method_take(Request *request)
{
    bool configured = request->door->options.config != NULL;

    for (size_t i = 0; i < sizeof calls / sizeof *calls - !configured; i++) {
        if (text_is(request->method, request->method_length, calls[i].name)) {
            calls[i].answer(request);
            return;
        }
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const Method *method = &methods[i];
        if (!text_is(request->method, request->method_length, method->name))
            continue;
        if ((method->era != BOTH && (method->era == MODERN) != request->modern) ||
            (method->when == CONFIGURED && !configured))
            break;
        method->answer(request);
        return;
    }
    answer_error(request, WRONG_METHOD, "there is no such method here");
}
