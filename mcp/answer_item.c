/* What a client is told of a configured program: the value as a tool's content, a prompt's
 * messages, a resource. */
#include "inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_block(tn_writer *writer, const char *text, size_t length)
{
    tn_put_object_begin(writer);
    put_text(writer, "type", "text");
    put_text_of(writer, "text", text, length);
    tn_put_object_end(writer);
}

/* In a few words, for a client of a tool: where in its program is its owner's matter. */
static void say_failure(const tn_outcome *outcome, char *text, size_t room)
{
    const tn_error *error = tn_outcome_error(outcome);

    (void)snprintf(text, room, "%s%s%.2000s", error ? error->name : "",
                   error && error->name[0] ? ": " : "", error ? error->message : "it failed");
    for (size_t i = 0; i < tn_outcome_finding_count(outcome); i++) {
        const tn_finding *finding = tn_outcome_finding(outcome, i);
        if (tn_outcome_status_of(outcome) == TN_OUTCOME_REFUSED &&
            finding->severity == TN_SEVERITY_ERROR) {
            (void)snprintf(text, room, "its program was refused: %.2000s", finding->message);
            return;
        }
    }
}

/* Bytes as base64, all else as it is; undefined members are left out. */
static void put_plain(tn_writer *writer, tn_value value)
{
    size_t length = 0;
    const char *bytes =
        tn_value_type(value) == TN_TYPE_BYTES ? tn_value_text(value, &length) : NULL;

    if (bytes) {
        char *text = base64_of(bytes, length);
        tn_put_string(writer, text ? text : "");
        free(text);
    } else if (tn_value_type(value) == TN_TYPE_OBJECT) {
        tn_put_object_begin(writer);
        for (tn_cursor cursor = {0}; tn_value_next(value, &cursor);) {
            const char *key = tn_value_text(cursor.key, &length);
            char *name = key ? strndup(key, length) : NULL;
            if (name && tn_value_type(cursor.value) != TN_TYPE_UNDEFINED) {
                tn_put_key(writer, name);
                put_plain(writer, cursor.value);
            }
            free(name);
        }
        tn_put_object_end(writer);
    } else {
        tn_put_value(writer, value);
    }
}

/* A text, or a value as JSON: as a block of text. */
static void put_value_block(tn_writer *writer, tn_value value)
{
    size_t length = 0;
    const char *text = tn_value_type(value) == TN_TYPE_TEXT ? tn_value_text(value, &length) : NULL;
    char *json = NULL;

    if (!text && tn_value_type(value) != TN_TYPE_UNDEFINED &&
        tn_value_json(value, &json, &length) == TN_OK)
        text = json;
    put_block(writer, text ? text : "", text ? length : 0);
    tn_text_free(json);
}

static bool is_block(tn_value block)
{
    static const struct {
        const char *type, *member;
    } all[] = {{"text", "text"},
               {"image", "data"},
               {"audio", "data"},
               {"resource", "resource"},
               {"resource_link", "uri"}};
    size_t length;
    const char *type = member_text(block, "type", &length);

    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        if (text_is(type, length, all[i].type))
            return tn_value_type(tn_value_member(block, all[i].member)) != TN_TYPE_NONE;
    }
    return false;
}

/* False: something in it is no block. */
static bool put_blocks(tn_writer *writer, tn_value value)
{
    bool good = true;

    tn_put_array_begin(writer);
    if (tn_value_type(value) == TN_TYPE_ARRAY) {
        for (tn_cursor cursor = {0}; tn_value_next(value, &cursor);) {
            good = good && is_block(cursor.value);
            put_plain(writer, cursor.value);
        }
    } else {
        good = is_block(value);
        put_plain(writer, value);
    }
    tn_put_array_end(writer);
    return good;
}

static void answer_tool(Job *job, tn_value value)
{
    const Item *item = job->item;
    char *why = NULL;
    tn_writer *writer;
    bool good = true;

    if (item->output && !item->content && tn_schema_check(item->output, value, &why) != TN_OK) {
        char text[700];
        (void)snprintf(text, sizeof text, "the tool gave what its outputSchema does not allow: %s",
                       why ? why : "it is too large to be checked");
        tool_answer(&job->reply, text, true);
        tn_text_free(why);
        return;
    }
    writer = result_begin(&job->reply);
    if (writer) {
        tn_put_key(writer, "content");
        if (item->content) {
            good = put_blocks(writer, value);
        } else {
            tn_put_array_begin(writer);
            put_value_block(writer, value);
            tn_put_array_end(writer);
        }
        tn_put_key(writer, "isError");
        tn_put_bool(writer, false);
        if (!item->content && tn_value_type(value) == TN_TYPE_OBJECT) {
            tn_put_key(writer, "structuredContent");
            put_plain(writer, value);
        }
    }
    if (good) {
        result_end(&job->reply, writer);
        return;
    }
    tn_writer_free(writer);
    tool_answer(&job->reply, "the tool gave what is no content", true);
}

/* A text is what the user says; messages stand as they are. */
static bool put_messages(tn_writer *writer, tn_value value)
{
    tn_value one = tn_value_type(value) == TN_TYPE_ARRAY ? tn_value_item(value, 0) : value;
    bool list = tn_value_type(value) == TN_TYPE_ARRAY;

    if (tn_value_type(value) == TN_TYPE_TEXT) {
        tn_put_object_begin(writer);
        put_text(writer, "role", "user");
        tn_put_key(writer, "content");
        put_value_block(writer, value);
        tn_put_object_end(writer);
        return true;
    }
    for (tn_cursor cursor = {0}; list ? tn_value_next(value, &cursor) : true;) {
        if (list)
            one = cursor.value;
        if (tn_value_type(tn_value_member(one, "role")) != TN_TYPE_TEXT ||
            !is_block(tn_value_member(one, "content")))
            return false;
        put_plain(writer, one);
        if (!list)
            break;
    }
    return true;
}

static void answer_prompt(Job *job, tn_value value)
{
    tn_writer *writer = result_begin(&job->reply);
    size_t length;
    const char *description = member_text(job->item->about, "description", &length);
    bool good = true;

    if (writer) {
        if (description)
            put_text_of(writer, "description", description, length);
        tn_put_key(writer, "messages");
        tn_put_array_begin(writer);
        good = put_messages(writer, value);
        tn_put_array_end(writer);
    }
    if (good) {
        result_end(&job->reply, writer);
        return;
    }
    tn_writer_free(writer);
    answer_error(&job->reply, WRONG_INSIDE, "the prompt gave what is no message");
}

static void answer_resource(Job *job, tn_value value)
{
    size_t length, size = 0;
    const char *uri = member_text(job->request.params, "uri", &length);
    const char *bytes = tn_value_type(value) == TN_TYPE_BYTES ? tn_value_text(value, &size) : NULL;
    const char *text = bytes ? NULL : tn_value_text(value, &size);
    char *json = NULL;

    if (!bytes && !text && tn_value_json(value, &json, &size) == TN_OK)
        text = json;
    put_contents(&job->reply, job->item, (Contents){uri, length, text, bytes, size});
    tn_text_free(json);
}

void answer_item(Job *job, const tn_outcome *outcome)
{
    tn_value value = tn_outcome_value(outcome);
    char text[2200];

    if (tn_outcome_status_of(outcome) != TN_OUTCOME_OK) {
        say_failure(outcome, text, sizeof text);
        if (job->item->kind == ITEM_TOOL)
            tool_answer(&job->reply, text, true);
        else
            answer_error(&job->reply, WRONG_INSIDE, text);
    } else if (job->item->kind == ITEM_TOOL) {
        answer_tool(job, value);
    } else if (job->item->kind == ITEM_PROMPT) {
        answer_prompt(job, value);
    } else {
        answer_resource(job, value);
    }
}
