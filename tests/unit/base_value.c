/* base/value and base/writer: what is a value, what the accessors say of it, and building one. */
#include "failing_allocator.h"
#include "hex.h"

#include <math.h>

#include "memory.h"
#include "number.h"
#include "text.h"
#include "value.h"
#include "writer.h"

static tn_value viewed(const char *hex, uint8_t **out_bytes)
{
    size_t length;
    *out_bytes = hex_bytes(hex, &length);
    return tn_value_view(*out_bytes, length);
}

static void knows_every_type(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        tn_type type;
    } cases[] = {
        {"f7", TN_TYPE_UNDEFINED},
        {"f6", TN_TYPE_NULL},
        {"f5", TN_TYPE_BOOL},
        {"17", TN_TYPE_NUMBER},
        {"fb3ff8000000000000", TN_TYPE_NUMBER},
        {"c24101", TN_TYPE_BIGINT},
        {"c340", TN_TYPE_BIGINT},
        {"6161", TN_TYPE_TEXT},
        {"d9011143eda080", TN_TYPE_TEXT},
        {"4100", TN_TYPE_BYTES},
        {"d8564800000000 0000f03f", TN_TYPE_BYTES},
        {"da00746e014100", TN_TYPE_BYTES},
        {"8101", TN_TYPE_ARRAY},
        {"a1616101", TN_TYPE_OBJECT},
        {"d90103a10102", TN_TYPE_MAP},
        {"d901028101", TN_TYPE_SET},
        {"c100", TN_TYPE_DATE},
        {"d9524a826161 6167", TN_TYPE_REGEXP},
        {"d81b82654572726f72a1676d6573736167656161", TN_TYPE_ERROR},
        {"da00746e0283614300 01", TN_TYPE_REFERENCE},
        {"d81c81d81d00", TN_TYPE_ARRAY},
        {"9f01ff", TN_TYPE_ARRAY},
        {"bf6161f7ff", TN_TYPE_OBJECT},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *bytes;
        tn_value value = viewed(cases[i].hex, &bytes);
        if (tn_value_type(value) != cases[i].type)
            fail_msg("%s is %d", cases[i].hex, tn_value_type(value));
        free(bytes);
    }
}

static void refuses_what_is_no_value(void **state)
{
    (void)state;
    static const char *const bad[] = {
        "",                     /* nothing */
        "0000",                 /* two */
        "61ff",                 /* not UTF-8 */
        "63eda080",             /* surrogate in text */
        "d9011146eda080edb080", /* a pair is one character */
        "d901116161",           /* tag 273 of text */
        "a10102",               /* key of an object is no text */
        "d9010301",             /* map of a number */
        "d90102a0",             /* set of a map */
        "d8454100",             /* half a Uint16 */
        "c16161",               /* date of text */
        "c201",                 /* big integer of a number */
        "d81d00",               /* reference to nothing */
        "82d81d00d81c80",       /* reference to what comes later */
        "82d81c80d81d01",
        "d81cd81d00",
        "d81c01",        /* a number is not shared */
        "d81b8101",      /* an error of one part */
        "d81b8261 6101", /* an error without properties */
        "d81b820101a0",  /* three parts */
        "d81b9f6161a0ff",
        "d9524a826161 01", /* flags are no text */
        "da00746e02826143 00",
        "da00746e0283614300 20",
        "d9ffff00", /* a tag that is not ours */
        "c0656162636465",
        "bf61 61ff", /* key without value */
    };
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        uint8_t *bytes;
        tn_value value = viewed(bad[i], &bytes);
        if (tn_value_type(value) != TN_TYPE_NONE)
            fail_msg("accepted %s", bad[i]);
        free(bytes);
    }
    assert_int_equal(tn_value_type(tn_value_view(NULL, 5)), TN_TYPE_NONE);
}

static void reads_numbers(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        double number;
        bool is_int;
        int64_t integer;
    } cases[] = {
        {"1903e8", 1000, true, 1000},
        {"3903e7", -1000, true, -1000},
        {"fb3ff8000000000000", 1.5, false, 0},
        {"fb4340000000000000", 9007199254740992.0, true, 9007199254740992},
        {"fb43e0000000000000", 9223372036854775808.0, false, 0},
        {"1bffffffffffffffff", 18446744073709551616.0, false, 0},
        {"1b7fffffffffffffff", 9223372036854775808.0, true, INT64_MAX},
        {"c2487fffffffffffffff", 9223372036854775808.0, true, INT64_MAX},
        {"c3487fffffffffffffff", -9223372036854775808.0, true, INT64_MIN},
        {"c2488000000000000000", 9223372036854775808.0, false, 0},
        {"c249010000000000000000", 18446744073709551616.0, false, 0},
        {"c24a00000000000000000005", 5, true, 5},
        {"c340", -1, true, -1},
        {"c1fb3ff8000000000000", 1500, false, 0},
        {"c11a6553f100", 1700000000000.0, false, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint8_t *bytes;
        int64_t integer = 77;
        tn_value value = viewed(cases[i].hex, &bytes);
        if (tn_value_number(value) != cases[i].number)
            fail_msg("%s is %g", cases[i].hex, tn_value_number(value));
        if (tn_value_int(value, &integer) != cases[i].is_int)
            fail_msg("%s: integer?", cases[i].hex);
        assert_int_equal(integer, cases[i].is_int ? cases[i].integer : 77);
        free(bytes);
    }
    uint8_t *bytes;
    assert_true(isnan(tn_value_number(viewed("c1fb7ff8000000000000", &bytes))));
    free(bytes);
    assert_true(isnan(tn_value_number((tn_value){0})));
}

/* {"a": [1, 2], "b": {"c": null}} with both kinds of length, walked and looked into. */
static void walks_children(void **state)
{
    (void)state;
    static const char *const documents[] = {"a2616182010261 62a16163f6",
                                            "bf61619f0102ff6162bf6163f6ffff"};
    for (size_t i = 0; i < 2; i++) {
        uint8_t *bytes;
        size_t length;
        tn_cursor cursor = {0};
        tn_value value = viewed(documents[i], &bytes);
        assert_int_equal(tn_value_count(value), 2);
        assert_true(tn_value_next(value, &cursor));
        assert_memory_equal(tn_value_text(cursor.key, &length), "a", 1);
        assert_int_equal(length, 1);
        assert_int_equal(tn_value_count(cursor.value), 2);
        assert_true(tn_value_number(tn_value_item(cursor.value, 1)) == 2);
        assert_int_equal(tn_value_type(tn_value_item(cursor.value, 2)), TN_TYPE_NONE);
        assert_true(tn_value_next(value, &cursor));
        assert_false(tn_value_next(value, &cursor));
        assert_false(tn_value_next(value, &cursor));
        tn_value c = tn_value_member(tn_value_member(value, "b"), "c");
        assert_int_equal(tn_value_type(c), TN_TYPE_NULL);
        assert_int_equal(tn_value_type(tn_value_member(value, "x")), TN_TYPE_NONE);
        assert_int_equal(tn_value_type(tn_value_item(value, 0)), TN_TYPE_NONE);
        assert_int_equal(tn_value_count(c), 0);
        free(bytes);
    }
}

static void follows_references(void **state)
{
    (void)state;
    uint8_t *bytes;
    /* [28(["x"]), 28({"self": 29(1), "x": 29(0)})] */
    tn_value value = viewed("82d81c816178d81ca26473656c66d81d016178d81d00", &bytes);
    tn_value object = tn_value_item(value, 1);
    for (int i = 0; i < 5; i++)
        object = tn_value_member(object, "self");
    size_t length = 0;
    const char *x = tn_value_text(tn_value_item(tn_value_member(object, "x"), 0), &length);
    assert_non_null(x);
    assert_int_equal(length, 1);
    assert_int_equal(*x, 'x');
    free(bytes);
    tn_value error = viewed("d81b82654572726f72a1676d6573736167656161", &bytes);
    assert_memory_equal(tn_value_text(tn_value_member(error, "name"), NULL), "Error", 5);
    assert_memory_equal(tn_value_text(tn_value_member(error, "message"), NULL), "a", 1);
    free(bytes);
}

/* Views that a host made up itself are never followed past their end. */
static void survives_made_up_views(void **state)
{
    (void)state;
    uint8_t bytes[] = {0x83, 0x01, 0x9B, 0xFF, 0xD8, 0x1D, 0x00};
    for (size_t start = 0; start < sizeof bytes; start++) {
        tn_cursor cursor = {0};
        tn_value value = {bytes, bytes + start, bytes + sizeof bytes};
        (void)tn_value_count(value);
        (void)tn_value_number(value);
        (void)tn_value_item(value, 3);
        while (tn_value_next(value, &cursor))
            (void)tn_value_type(cursor.value);
    }
}

static void put_everything(tn_writer *writer)
{
    tn_put_object_begin(writer);
    tn_put_key(writer, "a");
    tn_put_array_begin(writer);
    tn_put_undefined(writer);
    tn_put_null(writer);
    tn_put_bool(writer, true);
    tn_put_number(writer, 0.5);
    tn_put_int(writer, INT64_MIN);
    tn_put_int(writer, 7);
    tn_put_bytes(writer, "\0\1", 2);
    tn_put_date(writer, 1500);
    tn_put_array_end(writer);
    tn_put_key(writer, "b");
    tn_put_string(writer, "h\xC3\xA9");
    tn_put_object_end(writer);
}

static void builds_values(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        tn_writer *writer = NULL;
        tn_status status = writer_new(failing_allocator(&failing), SIZE_MAX, &writer);
        if (status == TN_OK) {
            put_everything(writer);
            status = writer_status(writer);
        }
        if (status == TN_OK) {
            tn_value value = tn_writer_value(writer);
            int64_t integer;
            assert_hex(value.start, (size_t)(value.end - value.start),
                       "bf61619ff7f6f5fb3fe0000000000000c3487fffffffffffffff07420001c1fb3ff8000000"
                       "000000ff616263"
                       "68c3a9ff");
            tn_value a = tn_value_member(value, "a");
            assert_true(tn_value_int(tn_value_item(a, 4), &integer) && integer == INT64_MIN);
            assert_true(tn_value_number(tn_value_item(a, 7)) == 1500);
        }
        tn_writer_free(writer);
        failing_settle(&failing, status);
    }
}

static tn_type built(void (*put)(tn_writer *))
{
    tn_writer *writer;
    assert_int_equal(tn_writer_new(&writer), TN_OK);
    put(writer);
    tn_type type = tn_value_type(tn_writer_value(writer));
    tn_writer_free(writer);
    return type;
}

static void nothing(tn_writer *w)
{
    (void)w;
}

static void two(tn_writer *w)
{
    tn_put_null(w);
    tn_put_null(w);
}

static void open_array(tn_writer *w)
{
    tn_put_array_begin(w);
}

static void wrong_end(tn_writer *w)
{
    tn_put_array_begin(w);
    tn_put_object_end(w);
    tn_put_array_end(w);
}

static void no_key(tn_writer *w)
{
    tn_put_object_begin(w);
    tn_put_null(w);
    tn_put_object_end(w);
}

static void no_value(tn_writer *w)
{
    tn_put_object_begin(w);
    tn_put_key(w, "a");
    tn_put_object_end(w);
}

static void key_in_array(tn_writer *w)
{
    tn_put_array_begin(w);
    tn_put_key(w, "a");
    tn_put_array_end(w);
}

static void no_text(tn_writer *w)
{
    tn_put_string(w, "\xFF");
}

static void no_key_text(tn_writer *w)
{
    tn_put_object_begin(w);
    tn_put_key(w, "\xFF");
    tn_put_null(w);
    tn_put_object_end(w);
}

static void no_such_value(tn_writer *w)
{
    tn_put_value(w, (tn_value){0});
}

static void too_deep(tn_writer *w)
{
    for (int i = 0; i <= CBOR_DEPTH_MAX; i++)
        tn_put_array_begin(w);
    for (int i = 0; i <= CBOR_DEPTH_MAX; i++)
        tn_put_array_end(w);
}

static void refuses_wrong_order(void **state)
{
    (void)state;
    void (*const wrong[])(tn_writer *) = {nothing,     two,           open_array,   wrong_end,
                                          no_key,      no_value,      key_in_array, no_text,
                                          no_key_text, no_such_value, too_deep};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        assert_int_equal(built(wrong[i]), TN_TYPE_NONE);
}

/* tn_put_value of the second element of a document, into an array that has two more of it. */
static void copied(const char *hex, size_t index, const char *expected)
{
    FOR_EACH_REFUSAL(failing)
    {
        uint8_t *bytes;
        tn_writer *writer = NULL;
        tn_value value = viewed(hex, &bytes);
        assert_int_not_equal(tn_value_type(value), TN_TYPE_NONE);
        tn_status status = writer_new(failing_allocator(&failing), SIZE_MAX, &writer);
        if (status == TN_OK) {
            tn_put_array_begin(writer);
            tn_put_value(writer, tn_value_item(value, index));
            tn_put_value(writer, tn_value_item(value, index));
            tn_put_array_end(writer);
            status = writer_status(writer);
        }
        if (status == TN_OK) {
            tn_value copy = tn_writer_value(writer);
            size_t length = (size_t)(copy.end - copy.start);
            assert_hex(copy.start, length, expected);
            assert_int_not_equal(tn_value_type(tn_value_view(copy.start, length)), TN_TYPE_NONE);
        }
        tn_writer_free(writer);
        free(bytes);
        failing_settle(&failing, status);
    }
}

static void copies_values_with_their_references(void **state)
{
    (void)state;
    copied("8201820203", 1, "9f820203820203ff");
    /* second refers to the first: it is written where it is met */
    copied("82d81c8101d81d00", 1, "9fd81c8101d81c8101ff");
    /* a cycle of its own: numbered anew in each copy */
    copied("82d81c80d81c82d81d0107", 1, "9fd81c82d81d0007d81c82d81d0107ff");
    /* the first holds the second, which refers back to the first */
    copied("82d81c81d81ca16161d81d00d81d01", 1, "9fd81ca16161d81c81d81d00d81ca16161d81c81d81d02ff");
    /* an indefinite array and map, bytes shared */
    copied("8200bf6161d81c410761629fd81d00ffff", 1,
           "9fbf6161d81c410761629fd81d00ffffbf6161d81c410761629fd81d01ffffff");
}

static void writes_numbers_as_javascript_does(void **state)
{
    (void)state;
    static const struct {
        double number;
        const char *text;
    } cases[] = {{0, "0"},
                 {1, "1"},
                 {-1.5, "-1.5"},
                 {0.1, "0.1"},
                 {1e21, "1e+21"},
                 {123456789012345680000.0, "123456789012345680000"},
                 {1e-7, "1e-7"},
                 {0.000001, "0.000001"},
                 {5e-324, "5e-324"},
                 {1.7976931348623157e308, "1.7976931348623157e+308"},
                 {2.2250738585072014e-308, "2.2250738585072014e-308"},
                 {9007199254740993.0, "9007199254740992"},
                 {1.0 / 3, "0.3333333333333333"},
                 {4.35, "4.35"},
                 {1e23, "1e+23"},
                 {-1e-10, "-1e-10"},
                 {123.456e10, "1234560000000"}};
    char text[NUMBER_TEXT_MAX];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        assert_int_equal(number_text(cases[i].number, text), strlen(cases[i].text));
        assert_string_equal(text, cases[i].text);
        assert_true(number_parse(text, strlen(text)) == cases[i].number);
    }
    assert_int_equal(number_text((double)NAN, text), 3);
    assert_int_equal(number_text(-(double)INFINITY, text), 9);
    assert_true(signbit(number_parse("-0", 2)));
    assert_true(isinf(number_parse("1e400", 5)));
    assert_true(number_parse("1e-400", 6) == 0);
}

/* 1 followed by zeros and a point far away, and numbers right on the middle of two doubles. */
static void reads_long_numbers(void **state)
{
    (void)state;
    enum { digits = 3000 };
    char text[digits + 64] = "1";
    memset(text + 1, '0', digits);
    (void)snprintf(text + 1 + digits, 60, "%s", "e-3000");
    assert_true(number_parse(text, strlen(text)) == 1);
    memset(text, '0', digits);
    memcpy(text, "0.", 2);
    (void)snprintf(text + digits, 60, "%s", "123e3001");
    assert_true(number_parse(text, strlen(text)) == 123.0 * 1);
    /* 2^53 + 1 is the middle; what follows far behind decides. */
    memset(text, '0', digits);
    memcpy(text, "9007199254740993.", 17);
    text[digits] = '\0';
    assert_true(number_parse(text, strlen(text)) == 9007199254740992.0);
    text[digits - 1] = '1';
    assert_true(number_parse(text, strlen(text)) == 9007199254740994.0);
    (void)snprintf(text + digits, 60, "%s", "e99999999999999999999999");
    assert_true(isinf(number_parse(text, strlen(text))));
}

static void text_carries_its_allocator(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        Buf buf;
        char *text = NULL;
        size_t length = 0;
        text_begin(&buf, failing_allocator(&failing), 1000);
        for (int i = 0; i < 100; i++)
            buf_append_string(&buf, "0123456789");
        assert_true(buf.failed || text_length(&buf) == 1000);
        tn_status status = text_finish(&buf, &text, &length);
        assert_true(status != TN_OK || (length == 1000 && text[1000] == '\0'));
        tn_text_free(text);
        failing_settle(&failing, status);
    }
    Buf buf;
    char *text = NULL;
    text_begin(&buf, memory_default(), 3);
    buf_append_string(&buf, "abcd");
    assert_int_equal(text_finish(&buf, &text, NULL), TN_ERR_LIMIT);
    assert_null(text);
    tn_text_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(knows_every_type),
        cmocka_unit_test(refuses_what_is_no_value),
        cmocka_unit_test(reads_numbers),
        cmocka_unit_test(walks_children),
        cmocka_unit_test(follows_references),
        cmocka_unit_test(survives_made_up_views),
        cmocka_unit_test(builds_values),
        cmocka_unit_test(refuses_wrong_order),
        cmocka_unit_test(copies_values_with_their_references),
        cmocka_unit_test(writes_numbers_as_javascript_does),
        cmocka_unit_test(reads_long_numbers),
        cmocka_unit_test(text_carries_its_allocator),
    };
    RUN_TESTS(tests);
}
