/*
 * What a host that publishes programs of its own needs: JSON Schemas held against values and said
 * as types; functions that are listed nowhere; a clock that stands still while somebody is asked.
 */
#include <pthread.h>
#include <string.h>
#include <unistd.h>

#include "try.h"

static tn_writer *json(const char *text)
{
    tn_writer *writer = NULL;

    CHECK(tn_writer_new(&writer) == TN_OK);
    CHECK(tn_put_json(writer, text, strlen(text)) == TN_OK);
    return writer;
}

static tn_schema *schema_of(const char *text)
{
    tn_writer *writer = json(text);
    tn_schema *schema = NULL;

    CHECK(tn_schema_new(tn_writer_value(writer), &schema) == TN_OK);
    tn_writer_free(writer); /* it is copied */
    return schema;
}

static tn_status check(const tn_schema *schema, const char *text, char **out_why)
{
    tn_writer *writer = json(text);
    tn_status status = tn_schema_check(schema, tn_writer_value(writer), out_why);

    tn_writer_free(writer);
    return status;
}

static void checked(void)
{
    tn_schema *schema =
        schema_of("{\"type\":\"object\",\"required\":[\"id\"],\"properties\":{\"id\":"
                  "{\"type\":\"string\",\"minLength\":2},\"next\":{\"$ref\":\"#\"}}}");
    tn_schema *never = schema_of("false"), *none = (tn_schema *)8;
    tn_writer *number = json("7");
    char *why = NULL;

    CHECK(check(schema, "{\"id\":\"ab\",\"next\":{\"id\":\"cd\"}}", &why) == TN_OK && !why);
    CHECK(check(schema, "{\"id\":\"ab\",\"next\":{\"id\":7}}", &why) == TN_ERR_ARGUMENT);
    CHECK(why && strstr(why, "$.next.id must be ") && strstr(why, "7"));
    tn_text_free(why);
    CHECK(check(schema, "{}", NULL) == TN_ERR_ARGUMENT);
    CHECK(check(never, "1", NULL) == TN_ERR_ARGUMENT);
    CHECK(tn_schema_new(tn_writer_value(number), &none) == TN_ERR_ARGUMENT);
    CHECK(none == (tn_schema *)8); /* untouched */
    tn_writer_free(number);
    tn_schema_free(schema);
    tn_schema_free(never);
    tn_schema_free(NULL);
}

static void said(void)
{
    tn_schema *schema = schema_of("{\"type\":\"object\",\"required\":[\"a\"],\"properties\":{\"a\":"
                                  "{\"type\":\"number\"},\"b\":{\"enum\":[\"x\",\"y\"]}}}");
    char *text = NULL;

    CHECK(tn_schema_type(schema, "Args", true, &text) == TN_OK);
    CHECK(text && strstr(text, "type Args = ") && strstr(text, "a: number") &&
          strstr(text, "b?: \"x\" | \"y\""));
    tn_text_free(text);
    CHECK(tn_schema_type(schema, "1x", true, &text) == TN_ERR_ARGUMENT);
    CHECK(tn_schema_type(schema, "", true, &text) == TN_ERR_ARGUMENT);
    tn_schema_free(schema);
    schema = schema_of("{\"type\":\"array\",\"items\":{\"$ref\":\"#\"}}");
    CHECK(tn_schema_type(schema, "List", false, &text) == TN_OK && strstr(text, "type List = "));
    tn_text_free(text);
    tn_schema_free(schema);
}

/* ---- functions ---- */

static void *answer_late(void *argument)
{
    tn_call *call = argument;

    usleep(600000);
    tn_put_int(tn_call_result(call), 5);
    tn_call_finish(call);
    return NULL;
}

static void ask(void *user, tn_call *call)
{
    bool stops = user != NULL;
    pthread_t thread;

    CHECK(tn_call_stop_clock(call) == TN_ERR_STATE); /* not deferred yet */
    CHECK(tn_call_defer(call) == TN_OK);
    if (stops)
        CHECK(tn_call_stop_clock(call) == TN_OK && tn_call_stop_clock(call) == TN_OK);
    CHECK(pthread_create(&thread, NULL, answer_late, call) == 0);
    pthread_detach(thread);
}

static char yes[] = "yes";

static void add(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "host.ask", ask, yes, TN_FUNCTION_UNLISTED) == TN_OK);
    CHECK(tn_engine_add_function(engine, "host.wait", ask, NULL, 0) == TN_OK);
}

static void clock_stands(void)
{
    Try try = {.setup = add, .limits.wall_ms = 300};

    CHECK(try_gives(&try, "await host.ask() + await host.ask()", "10"));
    try_run(&try, "await host.wait()");
    CHECK(try_is_limit(&try, "wall"));
    try_run(&try, "await host.ask(); for (;;);");
    CHECK(try_is_limit(&try, "wall"));
    usleep(700000); /* until the last answer is given up */
    try_end(&try);
}

static void unlisted(void)
{
    Try try = {.setup = add};
    char *text = NULL;
    size_t length;

    CHECK(tn_engine_open(try_engine(&try)) == TN_OK);
    CHECK(tn_engine_search(try_engine(&try), "", 0, NULL, &text, &length) == TN_OK);
    CHECK(strstr(text, "host.wait") && !strstr(text, "host.ask"));
    tn_text_free(text);
    CHECK(try_gives(&try, "typeof host.ask", "\"function\""));
    try_end(&try);
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"checked", checked}, {"said", said}, {"clock_stands", clock_stands},
               {"unlisted", unlisted});
}
