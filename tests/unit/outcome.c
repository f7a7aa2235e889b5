/* outcome: filled as the pipeline fills it, and shown as JSON and as text. */
#include "failing_allocator.h"
#include "hex.h"

#include "described.h"
#include "json.h"
#include "memory.h"
#include "outcome.h"
#include "writer.h"

/* A document from its JSON. */
static tn_writer *document(const char *json)
{
    tn_writer *writer;
    assert_int_equal(tn_writer_new(&writer), TN_OK);
    assert_int_equal(tn_put_json(writer, json, strlen(json)), TN_OK);
    return writer;
}

static void set_value(tn_outcome *outcome, const char *json)
{
    tn_writer *writer = document(json);
    tn_value value = tn_writer_value(writer);
    assert_int_equal(outcome_set_value(outcome, value.start, (size_t)(value.end - value.start)),
                     TN_OK);
    tn_writer_free(writer);
}

static tn_outcome *new_outcome(void)
{
    tn_outcome *outcome;
    assert_int_equal(outcome_new(memory_default(), &outcome), TN_OK);
    return outcome;
}

static void shows(const tn_outcome *outcome, tn_text_style style, unsigned tokens,
                  const char *expected)
{
    char *text;
    size_t length;
    assert_int_equal(tn_outcome_text(outcome, style, tokens, &text, &length), TN_OK);
    assert_int_equal(strlen(text), length);
    assert_string_equal(text, expected);
    tn_text_free(text);
}

static void value_shows(const char *json, const char *person, const char *model)
{
    tn_outcome *outcome = new_outcome();
    set_value(outcome, json);
    shows(outcome, TN_TEXT_PERSON, 0, person);
    shows(outcome, TN_TEXT_MODEL, 0, model);
    tn_outcome_free(outcome);
}

static void shows_values(void **state)
{
    (void)state;
    value_shows("42", "42\n", "status: ok\nvalue: 42\n");
    value_shows("\"a\\nb\"", "a\nb\n", "status: ok\nvalue: \"a\\nb\"\n");
    value_shows("{\"$type\":\"undefined\"}", "", "status: ok\nvalue: undefined\n");
    value_shows("{\"a\":[1,2,{\"b\":null}]}", "{\"a\": [1, 2, {\"b\": null}]}\n",
                "status: ok\nvalue: {\"a\":[1,2,{\"b\":null}]}\n");
    value_shows("{\"$type\":\"bigint\",\"value\":\"-5\"}", "-5n\n", "status: ok\nvalue: -5n\n");
    value_shows("{\"$type\":\"number\",\"value\":\"-0\"}", "-0\n", "status: ok\nvalue: -0\n");
    value_shows("{\"$type\":\"map\",\"entries\":[[\"a\",1],[{\"x\":1},2]]}",
                "Map(2) {\"a\" => 1, {\"x\": 1} => 2}\n",
                "status: ok\nvalue: Map(2) {\"a\" => 1,{\"x\":1} => 2}\n");
    value_shows("{\"$type\":\"set\",\"values\":[1]}", "Set(1) {1}\n",
                "status: ok\nvalue: Set(1) {1}\n");
    value_shows("{\"$type\":\"date\",\"value\":\"2024-01-02T03:04:05.006Z\"}",
                "2024-01-02T03:04:05.006Z\n", "status: ok\nvalue: 2024-01-02T03:04:05.006Z\n");
    value_shows("{\"$type\":\"regexp\",\"source\":\"a+\",\"flags\":\"g\"}", "/a+/g\n",
                "status: ok\nvalue: /a+/g\n");
    value_shows("{\"$type\":\"bytes\",\"base64\":\"AQI=\"}", "Uint8Array(2) [1, 2]\n",
                "status: ok\nvalue: Uint8Array(2) [1,2]\n");
    value_shows("{\"$type\":\"BigInt64Array\",\"values\":[\"-1\",\"2\"]}",
                "BigInt64Array(2) [-1n, 2n]\n", "status: ok\nvalue: BigInt64Array(2) [-1n,2n]\n");
    value_shows("{\"$type\":\"error\",\"name\":\"TypeError\",\"message\":\"no\",\"stack\":\"s\","
                "\"properties\":{\"code\":5}}",
                "[TypeError: no {\"code\": 5}]\n",
                "status: ok\nvalue: [TypeError: no {\"code\":5}]\n");
    value_shows("{\"a\":{\"$type\":\"circular\",\"path\":\"$\"}}", "{\"a\": [circular]}\n",
                "status: ok\nvalue: {\"a\":[circular]}\n");
    value_shows("[]", "[]\n", "status: ok\nvalue: []\n");
    value_shows("{\"a\":[\"0123456789012345678901234567890123456789\","
                "\"0123456789012345678901234567890123456789\","
                "\"0123456789012345678901234567890123456789\"],\"b\":1}",
                "{\n  \"a\": [\n    \"0123456789012345678901234567890123456789\",\n"
                "    \"0123456789012345678901234567890123456789\",\n"
                "    \"0123456789012345678901234567890123456789\"\n  ],\n  \"b\": 1\n}\n",
                "status: ok\nvalue: {\"a\":[\"0123456789012345678901234567890123456789\","
                "\"0123456789012345678901234567890123456789\","
                "\"0123456789012345678901234567890123456789\"],\"b\":1}\n");
}

static void shows_tables(void **state)
{
    (void)state;
    tn_outcome *outcome = new_outcome();
    set_value(outcome, "[{\"number\":12,\"title\":\"Fix it\"},{\"title\":\"More\",\"number\":7,"
                       "\"done\":true}]");
    shows(outcome, TN_TEXT_PERSON, 0,
          "number  title   done\n------  ------  ----\n    12  Fix it\n     7  More    true\n");
    shows(outcome, TN_TEXT_COLOR, 0,
          "\x1B[1mnumber  title   done\x1B[0m\n------  ------  ----\n    12  Fix it\n"
          "     7  More    true\n");
    set_value(outcome, "[{\"a\":[1]},{\"a\":2}]");
    shows(outcome, TN_TEXT_PERSON, 0, "[{\"a\": [1]}, {\"a\": 2}]\n");
    set_value(outcome, "[{\"a\":1}]");
    shows(outcome, TN_TEXT_PERSON, 0, "[{\"a\": 1}]\n");
    set_value(outcome, "[{},{}]");
    shows(outcome, TN_TEXT_PERSON, 0, "[{}, {}]\n");
    tn_outcome_free(outcome);
}

static char *many_rows(int rows)
{
    char *json = malloc((size_t)rows * 64 + 8), *at = json;
    assert_non_null(json);
    *at++ = '[';
    for (int i = 0; i < rows; i++)
        at += sprintf(at, "%s{\"i\":%d,\"s\":\"row %d\"}", i ? "," : "", i, i);
    (void)snprintf(at, 2, "]");
    return json;
}

static void describes_big_values(void **state)
{
    (void)state;
    tn_outcome *outcome = new_outcome();
    char *json = many_rows(200000), *text;
    size_t length;
    set_value(outcome, json);
    free(json);
    assert_int_equal(tn_outcome_text(outcome, TN_TEXT_MODEL, 100, &text, &length), TN_OK);
    assert_true(length <= 400 && length > 300);
    const char start[] =
        "status: ok\nvalue (cut; array of 200000 {i: number, s: string}): [{\"i\":0,\"s\":\"row "
        "0\"},{\"i\":1,\"s\":\"row 1\"},";
    assert_memory_equal(text, start, sizeof start - 1);
    int shown = 0;
    for (const char *at = text; (at = strstr(at, "{\"i\"")) != NULL; at++)
        shown++;
    char end[64];
    (void)sprintf(end, ", ... %d more]\n", 200000 - shown);
    assert_string_equal(text + length - strlen(end), end);
    tn_text_free(text);

    assert_int_equal(tn_outcome_text(outcome, TN_TEXT_PERSON, 0, &text, &length), TN_OK);
    assert_true(length < 8000);
    const char head[] = "array of 200000 {i: number, s: string}\n[{\"i\": 0, \"s\": \"row 0\"}, ";
    assert_memory_equal(text, head, sizeof head - 1);
    tn_text_free(text);

    json = many_rows(150);
    set_value(outcome, json);
    free(json);
    assert_int_equal(tn_outcome_text(outcome, TN_TEXT_PERSON, 0, &text, &length), TN_OK);
    assert_non_null(strstr(text, " 99  row 99\n... 50 more rows\n"));
    tn_text_free(text);
    tn_outcome_free(outcome);
}

/* At every budget: never longer, always the status first, cuts counted, nothing half. */
static void keeps_the_budget(void **state)
{
    (void)state;
    static const char *const values[] = {
        "{\"items\":[{\"id\":1,\"text\":\"abcdefghijklmnopqrstuvwxyz0123456789\"},{\"id\":2}],"
        "\"more\":"
        "\"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9"
        "\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\""
        "}",
        "\"\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\u0001\\u0001\\u0001\\u0001\"",
        "[[[[[[[[[[[[[[[[[\"0123456789012345678901234567890123456789\"]]]]]]]]]]]]]]]]]",
        "{\"$type\":\"map\",\"entries\":[[\"key\",[1,2,3,4,5,6,7,8,9,10,11,12]],[[1,2,3],4]]}",
        "{\"$type\":\"Float64Array\",\"values\":[1.5,2.5,3.25,4.125,5.0625,6,7,8,9,10,11,12,13]}"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        tn_outcome *outcome = new_outcome();
        Console console;
        console_init(&console, memory_default(), 1000);
        for (int k = 0; k < 9; k++)
            console_add(&console, (tn_level)(k % 5), 1, "a line of the console", 21);
        set_value(outcome, values[i]);
        assert_int_equal(outcome_take_console(outcome, &console), TN_OK);
        console_release(&console);
        for (unsigned tokens = 1; tokens < 300; tokens++) {
            char *text;
            size_t length;
            assert_int_equal(tn_outcome_text(outcome, TN_TEXT_MODEL, tokens, &text, &length),
                             TN_OK);
            if (length > 4 * tokens && tokens > 2)
                fail_msg("%u tokens: %s", tokens, text);
            assert_memory_equal(text, "status: ok\n", 11);
            assert_int_equal(text[length - 1], '\n');
            tn_text_free(text);
        }
        tn_outcome_free(outcome);
    }
}

static void neither_terminal_nor_model_is_commanded(void **state)
{
    (void)state;
    tn_outcome *outcome = new_outcome();
    Console console;
    const char nasty[] = "a\x1B[31mred\x1B[0m\x1B]0;title\a\rb\xC2\x9B"
                         "1m\xE2\x80\xAE"
                         "c\xFF";
    console_init(&console, memory_default(), 1000);
    console_add(&console, TN_LEVEL_LOG, 1, nasty, sizeof nasty - 1);
    console_add(&console, TN_LEVEL_LOG, 1, "x\r\ny\tz", 6);
    assert_int_equal(outcome_take_console(outcome, &console), TN_OK);
    console_release(&console);
    set_value(outcome, "\"\\u001b[31m\\u009b\\u202e\"");
    shows(outcome, TN_TEXT_PERSON, 0,
          "a\\x1b[31mred\\x1b[0m\\x1b]0;title\\x07\\x0db\\x9b1m\\u{202e}c\xEF\xBF\xBD\n"
          "x\ny\tz\n\\x1b[31m\\x9b\\u{202e}\n");
    shows(outcome, TN_TEXT_MODEL, 0,
          "status: ok\nvalue: \"\\u001b[31m\\u009b\\u202e\"\nconsole (2 entries):\n"
          "ared\\x0db\\x9b1m\\u{202e}c\xEF\xBF\xBD\nx\ny\tz\n");
    tn_outcome_free(outcome);
}

static const char guest_error[] =
    "{\"name\":\"TypeError\",\"message\":\"x is not a function\",\"isError\":true,"
    "\"stack\":\"    at f (program.js:3:5)\\n    at program.js:9:1\\n\",\"code\":\"E_X\","
    "\"retryable\":true,\"hint\":\"define "
    "x\",\"value\":{\"$type\":\"error\",\"name\":\"TypeError\","
    "\"message\":\"x is not a function\"},\"cause\":{\"name\":\"Error\",\"message\":\"inner\","
    "\"isError\":true,\"cause\":{\"name\":\"\",\"message\":\"[object]\",\"isError\":false,"
    "\"value\":{\"a\":{\"$type\":\"circular\",\"path\":\"$.cause.cause.value\"}}}}}";

/* An error as the guest describes it, with everything a failed run has. */
static void fill_failed(tn_outcome *outcome, Arena *arena, tn_value description)
{
    static const char text[] = "let y = 1;\n\nfoo(x());\nmore();\n";
    Source *source;
    tn_status status = source_load(arena, "program.js", text, sizeof text - 1, &source);
    if (status != TN_OK) {
        outcome->arena.failed = true;
        return;
    }
    OutcomeError error = {
        .from_guest = description, .source = source, .span = {16, 17}, .position = {3, 5, 5}};
    JournalEntry done = {.name = "github.close",
                         .line = 2,
                         .state = JOURNAL_ANSWERED,
                         .start_ms = 1.5,
                         .duration_ms = 2.25,
                         .error = ""};
    JournalEntry failed = {
        .name = "github.open", .line = 3, .state = JOURNAL_FAILED, .error = "no such issue"};
    JournalEntry open = {.name = "github.list", .state = JOURNAL_OPEN, .error = ""};
    outcome_set_status(outcome, TN_OUTCOME_FAILED);
    outcome_set_error(outcome, &error);
    outcome_add_effect(outcome, &done);
    outcome_add_effect(outcome, &failed);
    outcome_add_effect(outcome, &open);
    outcome_add_finding(outcome, "TN2001", TN_SEVERITY_WARNING, source, (Span){12, 15},
                        "a promise was rejected");
    outcome_add_finding(outcome, "TS1005", TN_SEVERITY_ERROR, source, (Span){0, 3}, "wrong");
    outcome_set_usage(outcome, &(tn_usage){.wall_ms = 1.23456, .calls = 3, .peak_bytes = 1 << 20});
}

static void shows_errors(void **state)
{
    (void)state;
    Arena arena;
    tn_outcome *outcome = new_outcome();
    tn_writer *guest = document(guest_error);
    arena_init(&arena, memory_default(), SIZE_MAX);
    fill_failed(outcome, &arena, tn_writer_value(guest));
    tn_writer_free(guest);
    arena_release(&arena);
    assert_int_equal(outcome_state(outcome), TN_OK);

    const tn_error *error = tn_outcome_error(outcome);
    assert_string_equal(error->name, "TypeError");
    assert_string_equal(error->code, "E_X");
    assert_true(error->retryable);
    assert_int_equal(tn_value_type(error->value), TN_TYPE_ERROR);
    assert_int_equal(tn_value_type(error->cause), TN_TYPE_ERROR);
    tn_value inner = tn_value_member(error->cause, "cause");
    assert_int_equal(tn_value_type(tn_value_member(tn_value_member(inner, "a"), "a")),
                     TN_TYPE_OBJECT);
    assert_int_equal(tn_value_type(tn_outcome_value(outcome)), TN_TYPE_NONE);

    shows(
        outcome, TN_TEXT_PERSON, 0,
        "failed (E_X, may be tried again): TypeError: x is not a function (line 3, column 5)\n"
        "  1 | let y = 1;\n  2 |\n> 3 | foo(x());\n    |     ^\n  4 | more();\n"
        "    at f (program.js:3:5)\n    at program.js:9:1\n"
        "cause: [Error: inner {\"cause\": {\"a\": [circular]}}]\nhint: define x\n"
        "done before that:\n  github.close, line 2\n  github.open, line 3: failed: no such issue\n"
        "  github.list: not answered yet\n"
        "warning 3:1 a promise was rejected TN2001\nerror 1:1 wrong TS1005\n");
    shows(outcome, TN_TEXT_MODEL, 0,
          "status: failed\nerror: TypeError: x is not a function\nline 3, column 5\n"
          "  1 | let y = 1;\n  2 |\n> 3 | foo(x());\n    |     ^\n  4 | more();\n"
          "code: E_X (may be tried again)\nhint: define x\n"
          "cause: [Error: inner {\"cause\":{\"a\":[circular]}}]\n"
          "effects:\n- github.close (line 2): ok\n- github.open (line 3): failed: no such issue\n"
          "- github.list: not answered when the run ended\n"
          "findings:\n- error TS1005 at 1:1: wrong\n"
          "- warning TN2001 at 3:1: a promise was rejected\n");

    char *json;
    size_t length;
    assert_int_equal(tn_outcome_json(outcome, &json, &length), TN_OK);
    assert_string_equal(
        json,
        "{\"schemaVersion\":1,\"status\":\"failed\",\"value\":null,\"error\":{\"name\":"
        "\"TypeError\",\"message\":\"x is not a function\",\"code\":\"E_X\",\"stack\":"
        "\"    at f (program.js:3:5)\\n    at program.js:9:1\\n\",\"frame\":"
        "\"  1 | let y = 1;\\n  2 |\\n> 3 | foo(x());\\n    |     ^\\n  4 | more();\\n\","
        "\"hint\":\"define x\",\"line\":3,\"column\":5,\"retryable\":true,"
        "\"value\":{\"$type\":\"error\",\"name\":\"TypeError\",\"message\":"
        "\"x is not a function\"},\"cause\":{\"$type\":\"error\",\"name\":\"Error\",\"message\":"
        "\"inner\",\"cause\":{\"a\":{\"$type\":\"circular\",\"path\":\"$.cause\"}}}},"
        "\"findings\":[{\"code\":\"TN2001\",\"severity\":\"warning\",\"message\":"
        "\"a promise was rejected\",\"line\":3,\"column\":1,\"endLine\":3,\"endColumn\":4},"
        "{\"code\":\"TS1005\",\"severity\":\"error\",\"message\":\"wrong\",\"line\":1,"
        "\"column\":1,\"endLine\":1,\"endColumn\":4}],\"console\":[],\"effects\":["
        "{\"name\":\"github.close\",\"line\":2,\"startMs\":1.5,\"durationMs\":2.25,\"ok\":true,"
        "\"open\":false,\"error\":\"\"},{\"name\":\"github.open\",\"line\":3,\"startMs\":0,"
        "\"durationMs\":0,\"ok\":false,\"open\":false,\"error\":\"no such issue\"},"
        "{\"name\":\"github.list\",\"line\":null,\"startMs\":0,\"durationMs\":0,\"ok\":false,"
        "\"open\":true,\"error\":\"\"}],\"files\":[],\"usage\":{\"wallMs\":1.235,\"cpuMs\":0,"
        "\"compileUs\":0,\"peakBytes\":1048576,\"calls\":3,\"consoleBytes\":0,"
        "\"consoleDroppedBytes\":0}}");
    tn_text_free(json);
    tn_outcome_free(outcome);
}

static void shows_the_other_ends(void **state)
{
    (void)state;
    tn_outcome *outcome = new_outcome();
    assert_null(tn_outcome_error(outcome));
    outcome_set_status(outcome, TN_OUTCOME_REFUSED);
    const tn_error *error = tn_outcome_error(outcome);
    assert_non_null(error);
    assert_string_equal(error->message, "");
    shows(outcome, TN_TEXT_PERSON, 0, "refused\n");
    shows(outcome, TN_TEXT_MODEL, 0, "status: refused\n");
    OutcomeError limit = {
        .name = "LimitError", .message = "too long", .message_length = 8, .code = "cpu"};
    outcome_set_status(outcome, TN_OUTCOME_LIMIT);
    outcome_set_error(outcome, &limit);
    shows(outcome, TN_TEXT_PERSON, 0, "limit (cpu): LimitError: too long\n");
    shows(outcome, TN_TEXT_MODEL, 0,
          "status: limit (cpu)\nerror: LimitError: too long\ncode: cpu\n");
    /* a thrown value that is no error, with a NUL in its text */
    tn_writer *guest = document("{\"name\":\"\",\"message\":\"a\\u0000b\",\"isError\":false,"
                                "\"code\":404,\"value\":{\"code\":404}}");
    OutcomeError thrown = {.from_guest = tn_writer_value(guest)};
    outcome_set_status(outcome, TN_OUTCOME_FAILED);
    outcome_set_error(outcome, &thrown);
    tn_writer_free(guest);
    shows(outcome, TN_TEXT_MODEL, 0,
          "status: failed\nerror: a\xE2\x90\x80"
          "b\ncode: 404\nthrown: {\"code\":404}\n");
    assert_string_equal(tn_outcome_status_text(TN_OUTCOME_CRASHED), "crashed");
    assert_string_equal(tn_outcome_status_text((tn_outcome_status)99), "unknown");
    assert_null(tn_outcome_console(outcome, 0));
    assert_null(tn_outcome_finding(outcome, 0));
    assert_null(tn_outcome_effect(outcome, 0));
    assert_int_equal(outcome_set_value(outcome, (const uint8_t *)"\xFF", 1), TN_ERR_ARGUMENT);
    char *text = NULL;
    assert_int_equal(tn_outcome_text(outcome, (tn_text_style)9, 0, &text, NULL), TN_ERR_ARGUMENT);
    assert_null(text);
    tn_outcome_free(outcome);
    tn_outcome_free(NULL);
}

/* A graph whose tree would never end is described in the JSON, and the rest is there. */
static void describes_exploding_values(void **state)
{
    (void)state;
    Buf graph;
    char *json;
    size_t length;
    tn_outcome *outcome = new_outcome();
    buf_init(&graph, memory_default(), SIZE_MAX);
    cbor_put_array(&graph, 64);
    for (unsigned i = 0; i < 64; i++) {
        cbor_put_tag(&graph, CBOR_TAG_SHARED);
        cbor_put_array(&graph, i ? 2 : 0);
        for (unsigned k = 0; k < 2 && i > 0; k++) {
            cbor_put_tag(&graph, CBOR_TAG_SHARED_REF);
            cbor_put_uint(&graph, i - 1);
        }
    }
    assert_int_equal(outcome_set_value(outcome, graph.data, graph.length), TN_OK);
    assert_int_equal(tn_outcome_json(outcome, &json, &length), TN_OK);
    assert_non_null(strstr(json, "\"value\":{\"$type\":\"omitted\",\"reason\":\"too large as a "
                                 "tree\",\"shape\":\"array of 64 "));
    assert_int_equal(json[length - 1], '}');
    tn_text_free(json);
    for (tn_text_style style = TN_TEXT_PERSON; style <= TN_TEXT_MODEL; style++) {
        assert_int_equal(tn_outcome_text(outcome, style, 0, &json, &length), TN_OK);
        assert_true(length < 20000);
        tn_text_free(json);
    }
    buf_release(&graph);
    tn_outcome_free(outcome);
}

static void refusal_of_memory(void **state)
{
    (void)state;
    tn_writer *guest = document(guest_error);
    FOR_EACH_REFUSAL(failing)
    {
        const tn_allocator *allocator = failing_allocator(&failing);
        tn_outcome *outcome = NULL;
        char *text = NULL;
        Arena arena;
        Console console;
        arena_init(&arena, allocator, SIZE_MAX);
        console_init(&console, allocator, 200);
        for (int i = 0; i < 40; i++)
            console_add(&console, TN_LEVEL_LOG, i, "0123456789", 10);
        tn_status status = outcome_new(allocator, &outcome);
        if (status == TN_OK) {
            static const uint8_t value[] = {0x82, 0xD8, 0x1C, 0x81, 0x01, 0xD8, 0x1D, 0x00};
            status = outcome_set_value(outcome, value, sizeof value);
        }
        if (status == TN_OK) {
            fill_failed(outcome, &arena, tn_writer_value(guest));
            status = outcome_take_console(outcome, &console);
        }
        if (status == TN_OK)
            status = outcome_state(outcome);
        for (int i = 0; i < 4 && status == TN_OK; i++) {
            size_t length = 77;
            text = NULL;
            outcome_set_status(outcome, i < 2 ? TN_OUTCOME_OK : TN_OUTCOME_FAILED);
            status = i == 0 ? tn_outcome_json(outcome, &text, &length)
                            : tn_outcome_text(outcome, i % 2 ? TN_TEXT_MODEL : TN_TEXT_PERSON, 0,
                                              &text, &length);
            assert_true((text != NULL) == (status == TN_OK));
            assert_true(status == TN_OK || length == 77);
            tn_text_free(text);
        }
        console_release(&console);
        arena_release(&arena);
        tn_outcome_free(outcome);
        failing_settle(&failing, status);
    }
    tn_writer_free(guest);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(shows_values),
        cmocka_unit_test(shows_tables),
        cmocka_unit_test(describes_big_values),
        cmocka_unit_test(keeps_the_budget),
        cmocka_unit_test(neither_terminal_nor_model_is_commanded),
        cmocka_unit_test(shows_errors),
        cmocka_unit_test(shows_the_other_ends),
        cmocka_unit_test(describes_exploding_values),
        cmocka_unit_test(refusal_of_memory),
    };
    RUN_TESTS(tests);
}
