/* What a client is told of an outcome. */
#include "inside.h"

#include <stdio.h>
#include <string.h>

static unsigned tokens_of(const Job *job)
{
    int64_t tokens = 0;
    tn_value arguments = tn_value_member(job->request.params, "arguments");

    if (tn_value_int(tn_value_member(arguments, "tokens"), &tokens) && tokens > 0)
        return tokens > 20000 ? 20000 : (unsigned)tokens;
    return job->request.door->options.tokens;
}

/* The value of an outcome that is too long as a whole: itself, if the rest of it is what is long;
 * else where it is read. */
typedef struct Place {
    char uri[64];
    size_t length; /* 0: it is shown whole */
    char *json;    /* not NULL: it is short */
    size_t json_length;
} Place;

static void keep(const Job *job, const tn_outcome *outcome, size_t budget, Place *place)
{
    tn_value value = tn_outcome_value(outcome);
    char *json = NULL;
    size_t length = 0;

    if (tn_value_type(value) == TN_TYPE_NONE || tn_value_json(value, &json, &length) != TN_OK)
        return;
    if (length <= budget / 4) {
        place->json = json;
        place->json_length = length;
        return;
    }
    if (keep_value(job->request.door, job->number, json, length)) {
        place->length = length;
        (void)snprintf(place->uri, sizeof place->uri, "tenon://run/%u/value", job->number);
    }
    tn_text_free(json);
}

/* As much of a text as is of use beside the whole one. */
static void put_some(tn_writer *writer, const char *key, const char *text)
{
    enum { SOME = 1000 };
    size_t length = strlen(text);

    if (length > SOME) {
        length = SOME;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
    }
    put_text_of(writer, key, text, length);
}

static void put_short(tn_writer *writer, const tn_outcome *outcome, const Place *place)
{
    const tn_error *error = tn_outcome_error(outcome);

    tn_put_object_begin(writer);
    put_text(writer, "status", tn_outcome_status_text(tn_outcome_status_of(outcome)));
    if (tn_outcome_run(outcome))
        put_text(writer, "run", tn_outcome_run(outcome));
    if (error) {
        tn_put_key(writer, "error");
        tn_put_object_begin(writer);
        put_some(writer, "name", error->name);
        put_some(writer, "message", error->message);
        put_some(writer, "code", error->code);
        tn_put_key(writer, "line");
        tn_put_int(writer, error->line);
        tn_put_object_end(writer);
    }
    if (place->json) {
        tn_put_key(writer, "value");
        if (tn_put_json(writer, place->json, place->json_length) != TN_OK)
            tn_put_null(writer);
    }
    if (place->length > 0) {
        put_text(writer, "valueUri", place->uri);
        tn_put_key(writer, "valueBytes");
        tn_put_int(writer, (int64_t)place->length);
    }
    tn_put_object_end(writer);
}

static void put_block(tn_writer *writer, const char *text, size_t length)
{
    tn_put_object_begin(writer);
    put_text(writer, "type", "text");
    put_text_of(writer, "text", text, length);
    tn_put_object_end(writer);
}

/* The text; where the rest is, in words, since not every client shows links. */
static void put_content(tn_writer *writer, const char *text, size_t length, const Place *place)
{
    char words[320];

    tn_put_key(writer, "content");
    tn_put_array_begin(writer);
    put_block(writer, text, length);
    if (place->length > 0) {
        (void)snprintf(words, sizeof words,
                       "The whole value is the resource %s (%zu bytes of JSON; a piece of it: "
                       "%s?from=0&bytes=50000). Better: run a program that returns less.",
                       place->uri, place->length, place->uri);
        put_block(writer, words, strlen(words));
    }
    tn_put_array_end(writer);
}

void answer_outcome(Job *job, const tn_outcome *outcome)
{
    size_t budget = (size_t)tokens_of(job) * 4, length = 0, json_length = 0;
    char *text = NULL, *json = NULL;
    tn_writer *writer = result_begin(&job->reply);
    Place place = {0};
    bool whole = tn_outcome_json(outcome, &json, &json_length) == TN_OK && json_length <= budget;

    if (!whole)
        keep(job, outcome, budget, &place);
    if (writer &&
        tn_outcome_text(outcome, TN_TEXT_MODEL, tokens_of(job), &text, &length) == TN_OK) {
        put_content(writer, text, length, &place);
        tn_put_key(writer, "isError");
        tn_put_bool(writer, tn_outcome_status_of(outcome) != TN_OUTCOME_OK);
        tn_put_key(writer, "structuredContent");
        if (!whole || tn_put_json(writer, json, json_length) != TN_OK)
            put_short(writer, outcome, &place);
    } else {
        tn_writer_free(writer);
        writer = NULL;
    }
    result_end(&job->reply, writer);
    tn_text_free(place.json);
    tn_text_free(json);
    tn_text_free(text);
}
