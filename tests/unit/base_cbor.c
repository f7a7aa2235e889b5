/* base/cbor: the writer byte for byte, the reader on what is good, cut, and malformed. */
#include "failing_allocator.h"
#include "hex.h"

#include <math.h>

#include "cbor.h"
#include "memory.h"

static Buf out;

static void wrote(const char *hex)
{
    assert_int_equal(buf_status(&out), TN_OK);
    assert_hex(out.data, out.length, hex);
    buf_clear(&out);
}

static void writes_integers_in_the_shortest_form(void **state)
{
    (void)state;
    static const struct {
        int64_t value;
        const char *hex;
    } cases[] = {{0, "00"},
                 {23, "17"},
                 {24, "1818"},
                 {255, "18ff"},
                 {256, "190100"},
                 {65536, "1a00010000"},
                 {4294967296, "1b0000000100000000"},
                 {-1, "20"},
                 {-24, "37"},
                 {-25, "3818"},
                 {INT64_MIN, "3b7fffffffffffffff"}};
    buf_init(&out, memory_default(), SIZE_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cbor_put_int(&out, cases[i].value);
        wrote(cases[i].hex);
    }
    cbor_put_uint(&out, UINT64_MAX);
    wrote("1bffffffffffffffff");
    buf_release(&out);
}

static void writes_numbers_as_the_profile_says(void **state)
{
    (void)state;
    static const struct {
        double value;
        const char *hex;
    } cases[] = {{1, "01"},
                 {-0.0, "fb8000000000000000"},
                 {1.5, "fb3ff8000000000000"},
                 {9007199254740991.0, "1b001fffffffffffff"},
                 {-9007199254740991.0, "3b001ffffffffffffe"},
                 {9007199254740992.0, "fb4340000000000000"}};
    buf_init(&out, memory_default(), SIZE_MAX);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        cbor_put_number(&out, cases[i].value);
        wrote(cases[i].hex);
    }
    cbor_put_number(&out, (double)NAN);
    wrote("fb7ff8000000000000");
    cbor_put_number(&out, -(double)INFINITY);
    wrote("fbfff0000000000000");
    buf_release(&out);
}

static void writes_big_integers(void **state)
{
    (void)state;
    buf_init(&out, memory_default(), SIZE_MAX);
    cbor_put_bigint(&out, 1, (const uint8_t[]){0, 0}, 2);
    wrote("c240");
    cbor_put_bigint(&out, -1, (const uint8_t[]){0, 1}, 2);
    wrote("c340");
    cbor_put_bigint(&out, -1, (const uint8_t[]){1, 0}, 2);
    wrote("c341ff");
    cbor_put_bigint(&out, -1, (const uint8_t[]){2, 0, 0}, 3);
    wrote("c34301ffff");
    cbor_put_bigint(&out, -1, (const uint8_t[]){2, 1}, 2);
    wrote("c3420200");
    cbor_put_bigint(&out, 1, (const uint8_t[]){1, 0, 0, 0, 0, 0, 0, 0, 0}, 9);
    wrote("c249010000000000000000");
    buf_release(&out);
}

static void writes_strings_and_containers(void **state)
{
    (void)state;
    buf_init(&out, memory_default(), SIZE_MAX);
    cbor_put_string(&out, "\xC3\xA9", 2);
    wrote("62c3a9");
    cbor_put_string(&out, "\xED\xA0\x80", 3);
    wrote("d9011143eda080");
    cbor_put_bytes(&out, "\1\2", 2);
    wrote("420102");
    cbor_put_array_open(&out);
    cbor_put_map(&out, 0);
    cbor_put_map_open(&out);
    cbor_put_break(&out);
    cbor_put_break(&out);
    wrote("9fa0bfffff");
    cbor_put_tag(&out, CBOR_TAG_REFERENCE);
    cbor_put_array(&out, 300);
    cbor_put_simple(&out, CBOR_UNDEFINED);
    wrote("da00746e0299012cf7");
    buf_release(&out);
}

static void reads_floats_of_every_width(void **state)
{
    (void)state;
    static const struct {
        const char *hex;
        double value;
    } cases[] = {{"f93c00", 1.0},
                 {"f90001", 5.960464477539063e-08},
                 {"f903ff", 6.097555160522461e-05},
                 {"f97bff", 65504.0},
                 {"f98000", -0.0},
                 {"f9fc00", -(double)INFINITY},
                 {"fa47c35000", 100000.0},
                 {"fb3ff199999999999a", 1.1},
                 {"1b0020000000000000", 9007199254740992.0},
                 {"3903e7", -1000.0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        size_t length;
        double number;
        CborHead head;
        uint8_t *bytes = hex_bytes(cases[i].hex, &length);
        CborReader in = {bytes, bytes + length};
        assert_true(cbor_head(&in, &head) && cbor_number(&head, &number));
        assert_memory_equal(&number, &cases[i].value, sizeof number);
        free(bytes);
    }
}

static bool skips(const uint8_t *bytes, size_t length, unsigned depth)
{
    CborReader in = {bytes, bytes + length};
    bool whole = cbor_skip(&in, depth);
    assert_true(whole || in.at == bytes);
    return whole && in.at == bytes + length;
}

/* What is whole can be skipped, and no beginning of it can. */
static void skips_whole_items_only(void **state)
{
    (void)state;
    static const char *const good[] = {"00",
                                       "f7",
                                       "fb3ff199999999999a",
                                       "6161",
                                       "40",
                                       "80",
                                       "9fff",
                                       "a0",
                                       "83018202039f04ff",
                                       "bf6161019f02ffa16162f6ff",
                                       "c1c2d81cd9010240",
                                       "d90102820102",
                                       "9f9f9fffffff"};
    for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
        size_t length;
        uint8_t *bytes = hex_bytes(good[i], &length);
        assert_true(skips(bytes, length, 10));
        for (size_t cut = 0; cut < length; cut++) {
            uint8_t *part = malloc(cut ? cut : 1);
            assert_non_null(part);
            memcpy(part, bytes, cut);
            assert_false(skips(part, cut, 10));
            free(part);
        }
        free(bytes);
    }
}

static void refuses_malformed_items(void **state)
{
    (void)state;
    static const char *const bad[] = {"",
                                      "ff",
                                      "1c",
                                      "1f",
                                      "3f",
                                      "df00",
                                      "c1",
                                      "f8",
                                      "f820",
                                      "f818",
                                      "e0",
                                      "f3",
                                      "5f4100ff",
                                      "7fff",
                                      "fc",
                                      "9f",
                                      "bf00ff",
                                      "81ff",
                                      "c1ff",
                                      "9fc1ff",
                                      "a100",
                                      "a1",
                                      "82ff",
                                      "5b",
                                      "61",
                                      "4200",
                                      "bf6161ff",
                                      "bbffffffffffffffff",
                                      "9b7fffffffffffffff",
                                      "5bffffffffffffffff",
                                      "9bffffffffffffffff00",
                                      "bb800000000000000000"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        size_t length;
        uint8_t *bytes = hex_bytes(bad[i], &length);
        if (skips(bytes, length, 10))
            fail_msg("accepted %s", bad[i]);
        free(bytes);
    }
}

static void keeps_its_depth(void **state)
{
    (void)state;
    enum { many = 100000 };
    static uint8_t deep[many + 1];
    memset(deep, 0x81, many);
    deep[many] = 0;
    assert_false(skips(deep, many + 1, CBOR_DEPTH_MAX));
    assert_false(skips(deep, many + 1, UINT32_MAX));
    assert_true(skips(deep + many - CBOR_DEPTH_MAX, CBOR_DEPTH_MAX + 1, CBOR_DEPTH_MAX));
    assert_false(skips(deep + many - 11, 12, 10));
    memset(deep, 0xC1, many); /* tags do not nest */
    assert_true(skips(deep, many + 1, 0));
}

static void recovers_every_date(void **state)
{
    (void)state;
    for (int64_t at = -8640000000000000; at <= 8640000000000000; at += 1234567891234) {
        double ms = (double)at;
        assert_true(cbor_date_ms(ms / 1000) == ms);
    }
    for (int64_t back = 0; back < 5000; back++) {
        double ms = (double)(8640000000000000 - back);
        assert_true(cbor_date_ms(ms / 1000) == ms && cbor_date_ms(-ms / 1000) == -ms);
    }
    assert_true(isnan(cbor_date_ms(8.64e12 + 1)) && isnan(cbor_date_ms((double)NAN)));
    assert_true(isnan(cbor_date_ms((double)INFINITY)));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_integers_in_the_shortest_form),
        cmocka_unit_test(writes_numbers_as_the_profile_says),
        cmocka_unit_test(writes_big_integers),
        cmocka_unit_test(writes_strings_and_containers),
        cmocka_unit_test(reads_floats_of_every_width),
        cmocka_unit_test(skips_whole_items_only),
        cmocka_unit_test(refuses_malformed_items),
        cmocka_unit_test(keeps_its_depth),
        cmocka_unit_test(recovers_every_date),
    };
    RUN_TESTS(tests);
}
