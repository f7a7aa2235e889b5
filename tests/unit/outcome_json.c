/* outcome/json: values as JSON text and back, each `$type` form in both directions. */
#include "failing_allocator.h"
#include "hex.h"

#include "json.h"
#include "memory.h"
#include "outcome.h"
#include "text.h"
#include "writer.h"

/* The JSON of a document, through an allocator. */
static tn_status json_of(const tn_allocator *allocator, tn_value value, size_t limit, char **out)
{
    Buf buf;
    text_begin(&buf, allocator, limit);
    tn_status status = value_json(allocator, value, &buf);
    if (status == TN_OK)
        return text_finish(&buf, out, NULL);
    buf_release(&buf);
    return status;
}

static void written(const char *hex, const char *expected)
{
    FOR_EACH_REFUSAL(failing)
    {
        size_t length;
        char *text = NULL;
        uint8_t *bytes = hex_bytes(hex, &length);
        tn_value value = {bytes, bytes, bytes + length};
        tn_status status = json_of(failing_allocator(&failing), value, 100000, &text);
        if (status == TN_OK)
            assert_string_equal(text, expected);
        else
            assert_null(text);
        tn_text_free(text);
        free(bytes);
        failing_settle(&failing, status);
    }
}

static void read_back(const char *json, const char *hex)
{
    FOR_EACH_REFUSAL(failing)
    {
        tn_writer *writer = NULL;
        size_t length = strlen(json);
        char *exact = malloc(length ? length : 1);
        assert_non_null(exact);
        for (size_t i = 0; i < length; i++)
            exact[i] = json[i];
        tn_status status = writer_new(failing_allocator(&failing), SIZE_MAX, &writer);
        if (status == TN_OK)
            status = tn_put_json(writer, exact, length);
        if (status == TN_OK) {
            tn_value value = tn_writer_value(writer);
            assert_non_null(value.start);
            assert_hex(value.start, (size_t)(value.end - value.start), hex);
            if (tn_value_type(tn_value_view(value.start, (size_t)(value.end - value.start))) ==
                TN_TYPE_NONE)
                fail_msg("%s made no value", json);
        }
        tn_writer_free(writer);
        free(exact);
        failing_settle(&failing, status);
    }
}

/* Both directions are each other's inverse for these. */
static const struct {
    const char *hex;
    const char *json;
} forms[] = {
    {"f6", "null"},
    {"f5", "true"},
    {"f4", "false"},
    {"00", "0"},
    {"3863", "-100"},
    {"fb3fb999999999999a", "0.1"},
    {"fb4340000000000000", "9007199254740992"},
    {"60", "\"\""},
    {"68615c22090ac3a901", "\"a\\\\\\\"\\t\\n\xC3\xA9\\u0001\""},
    {"80", "[]"},
    {"a0", "{}"},
    {"8301820203a0", "[1,[2,3],{}]"},
    {"a2616101616281f6", "{\"a\":1,\"b\":[null]}"},
    {"f7", "{\"$type\":\"undefined\"}"},
    {"fb7ff8000000000000", "{\"$type\":\"number\",\"value\":\"NaN\"}"},
    {"fb8000000000000000", "{\"$type\":\"number\",\"value\":\"-0\"}"},
    {"fb7ff0000000000000", "{\"$type\":\"number\",\"value\":\"Infinity\"}"},
    {"fbfff0000000000000", "{\"$type\":\"number\",\"value\":\"-Infinity\"}"},
    {"c240", "{\"$type\":\"bigint\",\"value\":\"0\"}"},
    {"c340", "{\"$type\":\"bigint\",\"value\":\"-1\"}"},
    {"c249010000000000000000", "{\"$type\":\"bigint\",\"value\":\"18446744073709551616\"}"},
    {"c348ffffffffffffffff", "{\"$type\":\"bigint\",\"value\":\"-18446744073709551616\"}"},
    {"c2490de0b6b3a763ffff00", "{\"$type\":\"bigint\",\"value\":\"255999999999999999744\"}"},
    {"c11a69550980", "{\"$type\":\"date\",\"value\":\"2025-12-31T11:31:12.000Z\"}"},
    {"c1fb3f50624dd2f1a9fc", "{\"$type\":\"date\",\"value\":\"1970-01-01T00:00:00.001Z\"}"},
    {"c120", "{\"$type\":\"date\",\"value\":\"1969-12-31T23:59:59.000Z\"}"},
    {"c11b000007dba8218000", "{\"$type\":\"date\",\"value\":\"+275760-09-13T00:00:00.000Z\"}"},
    {"c13b000007dba8217fff", "{\"$type\":\"date\",\"value\":\"-271821-04-20T00:00:00.000Z\"}"},
    {"c13b0000000e79747bff", "{\"$type\":\"date\",\"value\":\"0000-01-01T00:00:00.000Z\"}"},
    {"c1fb7ff8000000000000", "{\"$type\":\"date\",\"value\":null}"},
    {"4401020304", "{\"$type\":\"bytes\",\"base64\":\"AQIDBA==\"}"},
    {"40", "{\"$type\":\"bytes\",\"base64\":\"\"}"},
    {"43fffefd", "{\"$type\":\"bytes\",\"base64\":\"//79\"}"},
    {"da00746e014100", "{\"$type\":\"bytes\",\"view\":\"ArrayBuffer\",\"base64\":\"AA==\"}"},
    {"da00746e03420001", "{\"$type\":\"bytes\",\"view\":\"DataView\",\"base64\":\"AAE=\"}"},
    {"d8444200ff", "{\"$type\":\"Uint8ClampedArray\",\"values\":[0,255]}"},
    {"d8484280ff", "{\"$type\":\"Int8Array\",\"values\":[-128,-1]}"},
    {"d8454401000080", "{\"$type\":\"Uint16Array\",\"values\":[1,32768]}"},
    {"d84d420080", "{\"$type\":\"Int16Array\",\"values\":[-32768]}"},
    {"d84644ffffffff", "{\"$type\":\"Uint32Array\",\"values\":[4294967295]}"},
    {"d84e44ffffffff", "{\"$type\":\"Int32Array\",\"values\":[-1]}"},
    {"d84748ffffffffffffffff",
     "{\"$type\":\"BigUint64Array\",\"values\":[\"18446744073709551615\"]}"},
    {"d84f500000000000000080ffffffffffffffff",
     "{\"$type\":\"BigInt64Array\",\"values\":[\"-9223372036854775808\",\"-1\"]}"},
    {"d85448003c0100ff7b0084",
     "{\"$type\":\"Float16Array\",\"values\":[1,5.960464477539063e-8,65504,-0.00006103515625]}"},
    {"d85544cdcccc3d", "{\"$type\":\"Float32Array\",\"values\":[0.10000000149011612]}"},
    {"d85650000000000000f03f000000000000f87f",
     "{\"$type\":\"Float64Array\",\"values\":[1,{\"$type\":\"number\",\"value\":\"NaN\"}]}"},
    {"d9524a8262612f6167", "{\"$type\":\"regexp\",\"source\":\"a/\",\"flags\":\"g\"}"},
    {"d90103a0", "{\"$type\":\"map\",\"entries\":[]}"},
    {"d90103a20102810381f7",
     "{\"$type\":\"map\",\"entries\":[[1,2],[[3],[{\"$type\":\"undefined\"}]]]}"},
    {"d90102820180", "{\"$type\":\"set\",\"values\":[1,[]]}"},
    {"d9011143eda080", "{\"$type\":\"text\",\"wtf8Base64\":\"7aCA\"}"},
    {"a2652474797065016162a0", "{\"$type\":\"object\",\"entries\":[[\"$type\",1],[\"b\",{}]]}"},
    {"a1d9011143eda08001",
     "{\"$type\":\"object\",\"entries\":[[{\"$type\":\"text\",\"wtf8Base64\":\"7aCA\"},1]]}"},
    {"d81b82654572726f72a1676d6573736167656161",
     "{\"$type\":\"error\",\"name\":\"Error\",\"message\":\"a\"}"},
    {"d81b82654572726f72a0", "{\"$type\":\"error\",\"name\":\"Error\"}"},
    {"d81b826145a4676d65737361676561616573746163 6b61736563617573658101616301",
     "{\"$type\":\"error\",\"name\":\"E\",\"message\":\"a\",\"stack\":\"s\",\"cause\":[1],"
     "\"properties\":{\"c\":1}}"},
    {"d81ca16161d81d00", "{\"a\":{\"$type\":\"circular\",\"path\":\"$\"}}"},
    {"82a16161d81c81d81d00f7",
     "[{\"a\":[{\"$type\":\"circular\",\"path\":\"$[0].a\"}]},{\"$type\":\"undefined\"}]"},
    {"d81ca163612062d81ca1613082d81d00d81d01",
     "{\"a b\":{\"0\":[{\"$type\":\"circular\",\"path\":\"$\"},"
     "{\"$type\":\"circular\",\"path\":\"$[\\\"a b\\\"]\"}]}}"},
    {"d81cd90103a10081d81cd9010282d81d00d81d01",
     "{\"$type\":\"map\",\"entries\":[[0,[{\"$type\":\"set\",\"values\":["
     "{\"$type\":\"circular\",\"path\":\"$\"},"
     "{\"$type\":\"circular\",\"path\":\"$.entries[0][1][0]\"}]}]]]}"},
    {"d81cd81b826145a1656361757365d81d00",
     "{\"$type\":\"error\",\"name\":\"E\",\"cause\":{\"$type\":\"circular\",\"path\":\"$\"}}"},
};

static void both_ways(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        char packed[512] = "";
        for (const char *at = forms[i].hex; *at; at++)
            if (*at != ' ')
                strncat(packed, at, 1);
        written(packed, forms[i].json);
        read_back(forms[i].json, packed);
    }
}

static void writes_what_is_not_canonical(void **state)
{
    (void)state;
    written("9f01bf6161f7ffff", "[1,{\"a\":{\"$type\":\"undefined\"}}]");
    written("bfff", "{}");
    written("d90103bf0102ff", "{\"$type\":\"map\",\"entries\":[[1,2]]}");
    written("d901029fff", "{\"$type\":\"set\",\"values\":[]}");
    written("1bffffffffffffffff", "18446744073709552000");
    written("f93c00", "1");
    /* shared, but not around itself: in full */
    written("83d81c8101d81d00d81d00", "[[1],[1],[1]]");
    written(
        "82d81c4101d81d00",
        "[{\"$type\":\"bytes\",\"base64\":\"AQ==\"},{\"$type\":\"bytes\",\"base64\":\"AQ==\"}]");
    written("82d81c81d81c81d81d00d81d01", "[[[{\"$type\":\"circular\",\"path\":\"$[0]\"}]],"
                                          "[[{\"$type\":\"circular\",\"path\":\"$[1]\"}]]]");
    written("da00746e028366437572736f720301",
            "{\"$type\":\"reference\",\"interface\":\"Cursor\",\"id\":3}");
    written("d81b826145a36178016179f6676d6573736167656161",
            "{\"$type\":\"error\",\"name\":\"E\",\"properties\":{\"x\":1,\"y\":null,"
            "\"message\":\"a\"}}");
    written("d81b826145bf617801ff",
            "{\"$type\":\"error\",\"name\":\"E\",\"properties\":{\"x\":1}}");
}

static void reads_as_json_parse(void **state)
{
    (void)state;
    read_back(" { \"a\" : [ 1 , 2 ]\r\n}\t", "a16161820102");
    read_back("-0", "fb8000000000000000");
    read_back("1E2", "1864");
    read_back("12345678901234567890", "fb43e56a95319d63e1");
    read_back("1e999", "fb7ff0000000000000");
    read_back("-1e999", "fbfff0000000000000");
    read_back("\"a\\u0000b\"", "63610062");
    read_back("\"\\ud83d\\ude00\"", "64f09f9880");
    read_back("\"\\ude00\\ud83d\"", "d9011146edb880eda0bd");
    read_back("\"\\ud83dx\"", "d9011144eda0bd78");
    read_back("\"\\/\\b\\f\\r\"", "642f080c0d");
    read_back("{\"\\ud800\":1}", "a1d9011143eda08001");
    /* the last one of a name counts, at the first one's place */
    read_back("{\"a\":1,\"b\":2,\"a\":3,\"a\":4}", "a2616104616202");
    read_back("{\"a\":{\"b\":1,\"b\":2},\"\\u0061\":{\"c\":5,\"c\":6}}", "a16161a1616306");
    /* other formats' "$type" is plain data */
    read_back("{\"$type\":\"Acme.Order, Acme\",\"id\":1}",
              "a26524747970657041636d652e4f726465722c2041636d6562696401");
    read_back("{\"$type\":5}", "a165247479706505");
    read_back("{\"value\":\"-0\",\"$type\":\"number\"}", "fb8000000000000000");
    read_back("{\"$type\":\"bigint\",\"value\":\"0x1ff\"}", "c24201ff");
    read_back("{\"$type\":\"bigint\",\"value\":\"-0x100\"}", "c341ff");
    read_back("{\"$type\":\"bigint\",\"value\":\"-0\"}", "c240");
    read_back("{\"$type\":\"date\",\"value\":\"2024-02-29\"}", "c11a65dfc900");
    read_back("{\"$type\":\"date\",\"value\":\"1970-01-01T01:30:00.5+01:30\"}",
              "c1fb3fe0000000000000");
    read_back("{\"$type\":\"date\",\"value\":\"1970-01-01T24:00Z\"}", "c11a00015180");
    read_back("{\"$type\":\"Uint8Array\",\"values\":[1,255]}", "4201ff");
    read_back("{\"$type\":\"error\",\"name\":\"E\",\"errors\":[],\"properties\":{\"name\":1,"
              "\"$type\":2}}",
              "d81b826145a3666572726f727380646e616d650165247479706502");
}

static void refuses(const char *json, tn_status expected)
{
    tn_writer *writer;
    assert_int_equal(tn_writer_new(&writer), TN_OK);
    tn_put_array_begin(writer);
    tn_status status = tn_put_json(writer, json, strlen(json));
    if (status != expected)
        fail_msg("%s: status %d", json, status);
    /* and the writer is as it was */
    tn_put_null(writer);
    tn_put_array_end(writer);
    tn_value value = tn_writer_value(writer);
    assert_hex(value.start, (size_t)(value.end - value.start), "9ff6ff");
    tn_writer_free(writer);
}

static void refuses_what_is_not_json(void **state)
{
    (void)state;
    static const char *const bad[] = {"",          " ",
                                      "nul",       "nulll",
                                      "tru",       "01",
                                      "1.",        ".5",
                                      "+1",        "-",
                                      "1e",        "1e+",
                                      "0x1",       "NaN",
                                      "Infinity",  "'a'",
                                      "\"a",       "\"\\x\"",
                                      "\"\\u12\"", "\"\\ud83d\\u1\"",
                                      "\"\n\"",    "\"\\",
                                      "[",         "]",
                                      "[1",        "[1,",
                                      "[1,]",      "[,1]",
                                      "[1 2]",     "{",
                                      "}",         "{\"a\"",
                                      "{\"a\":",   "{\"a\":1",
                                      "{\"a\":1,", "{\"a\":1,}",
                                      "{a:1}",     "{1:1}",
                                      "{\"a\" 1}", "{\"a\":1]",
                                      "[1}",       "1 2",
                                      "{}x",       "\xEF\xBB\xBF[]",
                                      "\"\xFF\"",  "\"\xED\xA0\x80\"",
                                      "/*x*/1",    "1//x",
                                      "\x01",      "undefined"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuses(bad[i], TN_ERR_ARGUMENT);
}

static void refuses_wrong_forms(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "{\"$type\":\"number\"}",
        "{\"$type\":\"number\",\"value\":\"1\"}",
        "{\"$type\":\"number\",\"value\":1}",
        "{\"$type\":\"bigint\",\"value\":\"\"}",
        "{\"$type\":\"bigint\",\"value\":\"1x\"}",
        "{\"$type\":\"bigint\",\"value\":\"0x\"}",
        "{\"$type\":\"bigint\",\"value\":\"0xg\"}",
        "{\"$type\":\"bigint\",\"value\":12}",
        "{\"$type\":\"date\"}",
        "{\"$type\":\"date\",\"value\":\"2024-02-30T00:00:00Z\"}",
        "{\"$type\":\"date\",\"value\":\"2023-02-29T00:00:00Z\"}",
        "{\"$type\":\"date\",\"value\":\"2024-13-01T00:00:00Z\"}",
        "{\"$type\":\"date\",\"value\":\"2024-01-01T00:00:00\"}",
        "{\"$type\":\"date\",\"value\":\"2024-01-01T25:00:00Z\"}",
        "{\"$type\":\"date\",\"value\":\"2024-01-01T24:01:00Z\"}",
        "{\"$type\":\"date\",\"value\":\"2024-01-01T00:00:00Zx\"}",
        "{\"$type\":\"date\",\"value\":\"\"}",
        "{\"$type\":\"bytes\",\"base64\":\"A\"}",
        "{\"$type\":\"bytes\",\"base64\":\"AAA\"}",
        "{\"$type\":\"bytes\",\"base64\":\"A===\"}",
        "{\"$type\":\"bytes\",\"base64\":\"AA==AAAA\"}",
        "{\"$type\":\"bytes\",\"base64\":\"A-AA\"}",
        "{\"$type\":\"bytes\",\"base64\":\"\",\"view\":\"Other\"}",
        "{\"$type\":\"Int8Array\",\"values\":[128]}",
        "{\"$type\":\"Int8Array\",\"values\":[1.5]}",
        "{\"$type\":\"Uint8Array\",\"values\":[-1]}",
        "{\"$type\":\"Uint8Array\",\"values\":[\"1\"]}",
        "{\"$type\":\"Uint8Array\"}",
        "{\"$type\":\"BigInt64Array\",\"values\":[1]}",
        "{\"$type\":\"BigInt64Array\",\"values\":[\"9223372036854775808\"]}",
        "{\"$type\":\"BigUint64Array\",\"values\":[\"-1\"]}",
        "{\"$type\":\"BigUint64Array\",\"values\":[\"18446744073709551616\"]}",
        "{\"$type\":\"map\"}",
        "{\"$type\":\"map\",\"entries\":[1]}",
        "{\"$type\":\"map\",\"entries\":[[1]]}",
        "{\"$type\":\"map\",\"entries\":[[1,2,3]]}",
        "{\"$type\":\"object\",\"entries\":[[1,2]]}",
        "{\"$type\":\"object\",\"entries\":[[{\"$type\":\"date\",\"value\":null},2]]}",
        "{\"$type\":\"set\",\"values\":1}",
        "{\"$type\":\"regexp\",\"source\":\"a\"}",
        "{\"$type\":\"error\",\"message\":\"a\"}",
        "{\"$type\":\"error\",\"name\":\"a\",\"properties\":[]}",
        "{\"$type\":\"text\",\"wtf8Base64\":\"/w==\"}",
        "{\"$type\":\"circular\",\"path\":\"$\"}",
        "[{\"$type\":\"circular\",\"path\":\"$[1]\"},[]]",
        "[{\"$type\":\"circular\",\"path\":\"$[0]\"}]",
        "[{\"$type\":\"circular\",\"path\":\"\"}]",
        "[{\"$type\":\"circular\",\"path\":\"$.\"}]",
        "[{\"$type\":\"circular\",\"path\":\"x\"}]",
        "[{\"$type\":\"circular\"}]",
        "{\"$type\":\"map\",\"entries\":[[1,{\"$type\":\"circular\",\"path\":\"$.entries\"}]]}",
        "{\"$type\":\"reference\",\"interface\":\"Cursor\",\"id\":1}"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        refuses(bad[i], TN_ERR_ARGUMENT);
}

static void merges_many_names(void **state)
{
    (void)state;
    tn_writer *writer;
    char *json = malloc(2000 * 24 + 8), *at = json;
    assert_non_null(json);
    *at++ = '{';
    for (int i = 0; i < 2000; i++)
        at += sprintf(at, "%s\"name%d\":%d", i ? "," : "", i % 700, i);
    *at++ = '}';
    assert_int_equal(tn_writer_new(&writer), TN_OK);
    assert_int_equal(tn_put_json(writer, json, (size_t)(at - json)), TN_OK);
    tn_value value = tn_writer_value(writer);
    assert_int_equal(tn_value_count(value), 700);
    tn_cursor cursor = {0};
    for (int i = 0; tn_value_next(value, &cursor); i++)
        assert_true(tn_value_number(cursor.value) == (i < 600 ? i + 1400 : i + 700));
    tn_writer_free(writer);
    free(json);
}

/* Arrays in arrays, at the limit and one past it; and far past it. */
static void keeps_its_depth(void **state)
{
    (void)state;
    enum { many = 200000 };
    char *json = malloc(2 * many);
    assert_non_null(json);
    static const struct {
        int depth;
        tn_status status;
    } cases[] = {{1000, TN_OK}, {1001, TN_ERR_ARGUMENT}, {many, TN_ERR_ARGUMENT}};
    for (size_t i = 0; i < 3; i++) {
        tn_writer *writer;
        size_t depth = (size_t)cases[i].depth;
        memset(json, '[', depth);
        memset(json + depth, ']', depth);
        assert_int_equal(tn_writer_new(&writer), TN_OK);
        assert_int_equal(tn_put_json(writer, json, 2 * depth), cases[i].status);
        if (cases[i].status == TN_OK) {
            char *text;
            size_t length;
            assert_int_equal(tn_value_json(tn_writer_value(writer), &text, &length), TN_OK);
            assert_int_equal(length, 2 * depth);
            assert_memory_equal(text, json, length);
            tn_text_free(text);
        }
        tn_writer_free(writer);
    }
    free(json);
}

/* Sixty-four arrays, each holding the one before twice: 2^64 elements as a tree. */
static void stops_shared_graphs(void **state)
{
    (void)state;
    Buf graph;
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
    char *text = NULL;
    tn_value value = tn_value_view(graph.data, graph.length);
    assert_int_equal(tn_value_type(value), TN_TYPE_ARRAY);
    assert_int_equal(json_of(memory_default(), value, 100000, &text), TN_ERR_LIMIT);
    assert_int_equal(tn_value_json(value, &text, NULL), TN_ERR_LIMIT);
    assert_null(text);
    buf_release(&graph);
    assert_int_equal(tn_value_json((tn_value){0}, &text, NULL), TN_ERR_ARGUMENT);
}

/* A big integer of four thousand bytes is written in hexadecimal and comes back. */
static void writes_huge_integers_in_hexadecimal(void **state)
{
    (void)state;
    enum { bytes = 4000 };
    uint8_t magnitude[bytes];
    for (int sign = -1; sign <= 1; sign += 2) {
        for (int trailing = 0; trailing <= bytes; trailing += bytes / 2) {
            Buf document;
            char *text;
            size_t length;
            tn_writer *writer;
            memset(magnitude, 0xAB, sizeof magnitude);
            memset(magnitude + bytes - trailing, sign < 0 ? 0 : 0xFF, (size_t)trailing);
            magnitude[0] |= 1;
            buf_init(&document, memory_default(), SIZE_MAX);
            cbor_put_bigint(&document, sign, magnitude, bytes);
            tn_value value = tn_value_view(document.data, document.length);
            assert_int_equal(tn_value_json(value, &text, &length), TN_OK);
            assert_non_null(strstr(text, sign < 0 ? "\"-0x" : "\"0x"));
            assert_int_equal(tn_writer_new(&writer), TN_OK);
            assert_int_equal(tn_put_json(writer, text, length), TN_OK);
            tn_value again = tn_writer_value(writer);
            assert_int_equal(again.end - again.start, document.length);
            assert_memory_equal(again.start, document.data, document.length);
            tn_writer_free(writer);
            tn_text_free(text);
            buf_release(&document);
        }
    }
}

static void print_line(tn_outcome *outcome)
{
    char *text;
    assert_int_equal(tn_outcome_json(outcome, &text, NULL), TN_OK);
    puts(text);
    tn_text_free(text);
}

/* For outcome_schema.py: outcomes as JSON, one a line, with every form as value and as cause. */
static int print_lines(void)
{
    static const tn_console_entry line = {.text = "a\nb\x1B", .length = 4};
    static const JournalEntry call = {.name = "a.b", .line = 1, .error = "", .start_ms = 0.5};
    const tn_allocator *allocator = memory_default();
    tn_outcome *outcome;
    Source *source;
    Arena arena;
    Console console;

    arena_init(&arena, allocator, SIZE_MAX);
    console_init(&console, allocator, 5);
    assert_int_equal(source_load(&arena, "a.js", "a b", 3, &source), TN_OK);
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        size_t length;
        uint8_t *bytes = hex_bytes(forms[i].hex, &length);
        assert_int_equal(outcome_new(allocator, &outcome), TN_OK);
        assert_int_equal(outcome_set_value(outcome, bytes, length), TN_OK);
        print_line(outcome);
        console_add(&console, (tn_level)(i % 5), (double)i, line.text, line.length);
        outcome_set_status(outcome, (tn_outcome_status)(1 + i % 7));
        outcome_set_error(outcome, &(OutcomeError){.name = "E",
                                                   .value = {bytes, bytes, bytes + length},
                                                   .source = source,
                                                   .position = {(unsigned)i % 3, 1, 1}});
        outcome_add_finding(outcome, "TN1", (tn_severity)(i % 3), source, (Span){2, 3}, "no");
        outcome_add_effect(outcome, &call);
        assert_int_equal(outcome_take_console(outcome, &console), TN_OK);
        print_line(outcome);
        tn_outcome_free(outcome);
        free(bytes);
    }
    console_release(&console);
    arena_release(&arena);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--lines") == 0)
        return print_lines();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_ways),
        cmocka_unit_test(writes_what_is_not_canonical),
        cmocka_unit_test(reads_as_json_parse),
        cmocka_unit_test(refuses_what_is_not_json),
        cmocka_unit_test(refuses_wrong_forms),
        cmocka_unit_test(merges_many_names),
        cmocka_unit_test(keeps_its_depth),
        cmocka_unit_test(stops_shared_graphs),
        cmocka_unit_test(writes_huge_integers_in_hexadecimal),
    };
    RUN_TESTS(tests);
}
