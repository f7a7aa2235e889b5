/* What the server offers, in both eras. */
#include "inside.h"

#include <stdlib.h>
#include <string.h>

/* ---- who we are ---- */

static const char capabilities[] = "{\"tools\":{},\"resources\":{}}";

/* How programs are written, and what there is: in few words, since every turn carries them. */
static void put_instructions(const Request *request, tn_writer *writer)
{
    static const char how[] =
        "Compute and combine tools by writing one TypeScript program for `run` instead of many "
        "calls. Top-level await and return; the value returned (or the last expression) comes back "
        "with the console and all calls. No files, network, process or require: only the functions "
        "below, as globals (github.listIssues(...)) or imports (import { listIssues } from "
        "\"github\"). The program is type-checked before anything happens; findings say what to "
        "mend. Filter and total inside the program and return only what is needed. `search` finds "
        "functions, `describe` gives their exact types.\n\n";
    static const char later[] =
        "The packages are still being opened: `search` waits for them and lists what there is.\n";
    enum { PATIENCE_MS = 4000 }; /* some clients wait ten seconds for a server to start */
    char *list = NULL, *whole;
    const char *rest = later;
    size_t length = sizeof later - 1;

    if (door_wait_open(request->door, PATIENCE_MS)) {
        DoorEngine *held = door_engine_take(request->door);
        if (tn_engine_search(held->engine, "", 600, request->door->options.policy, &list,
                             &length) != TN_OK)
            length = 0;
        door_engine_give(request->door, held);
        rest = list;
    }
    whole = malloc(sizeof how + length);
    if (whole) {
        memcpy(whole, how, sizeof how - 1);
        if (length > 0)
            memcpy(whole + sizeof how - 1, rest, length);
        put_text_of(writer, "instructions", whole, sizeof how - 1 + length);
    }
    free(whole);
    tn_text_free(list);
}

static void put_server(tn_writer *writer)
{
    tn_put_key(writer, "serverInfo");
    tn_put_object_begin(writer);
    put_text(writer, "name", "tenon");
    put_text(writer, "title", "Tenon");
    put_text(writer, "version", tn_version());
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
    request->sink->peer->asks = can_ask(tn_value_member(request->params, "capabilities"));
    if (writer) {
        put_text(writer, "protocolVersion", answer);
        put_json(writer, "capabilities", capabilities);
        put_server(writer);
        put_instructions(request, writer);
    }
    result_end(request, writer);
}

static void discover(const Request *request)
{
    tn_writer *writer = result_begin(request);

    if (writer) {
        put_json(writer, "supportedVersions", "[\"2026-07-28\",\"2025-11-25\"]");
        put_json(writer, "capabilities", capabilities);
        put_instructions(request, writer);
        put_lifetime(request, writer, door_wait_open(request->door, 0) ? 60000 : 0);
    }
    result_end(request, writer);
}

static void nothing(const Request *request)
{
    result_end(request, result_begin(request));
}

static void templates(const Request *request)
{
    tn_writer *writer = result_begin(request);

    if (writer) {
        put_json(writer, "resourceTemplates",
                 "[{\"uriTemplate\":\"tenon://run/{number}/value{?from,bytes}\",\"name\":\"value\","
                 "\"description\":\"The whole value of a run, as JSON, from a byte on.\","
                 "\"mimeType\":\"application/json\"}]");
        put_lifetime(request, writer, 60000);
    }
    result_end(request, writer);
}

/* ---- which method ---- */

typedef struct Method {
    const char *name;
    enum { BOTH, HANDSHAKE, MODERN } era;
    void (*answer)(const Request *request);
} Method;

static const Method methods[] = {
    {"initialize", HANDSHAKE, initialize},    {"ping", HANDSHAKE, nothing},
    {"server/discover", MODERN, discover},    {"tools/list", BOTH, tools_list},
    {"resources/list", BOTH, resources_list}, {"resources/templates/list", BOTH, templates},
    {"resources/read", BOTH, resources_read},
};

void notification_take(const Request *request)
{
    if (text_is(request->method, request->method_length, "notifications/cancelled"))
        job_cancel(request, tn_value_member(request->params, "requestId"));
}

void method_take(Request *request)
{
    if (text_is(request->method, request->method_length, "tools/call")) {
        tool_call(request);
        return;
    }
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        const Method *method = &methods[i];
        if (!text_is(request->method, request->method_length, method->name))
            continue;
        if (method->era != BOTH && (method->era == MODERN) != request->modern)
            break;
        method->answer(request);
        return;
    }
    answer_error(request, WRONG_METHOD, "there is no such method here");
}
