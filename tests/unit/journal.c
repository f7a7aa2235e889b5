/* What the journal is made of, alone: how wide text is, hashes, and a run's forms. */
#include "cmocka_all.h"

#include <string.h>

#include "buf.h"
#include "digest.h"
#include "memory.h"
#include "trace.h"
#include "width.h"

static void digests_are_sha256(void **state)
{
    char hex[DIGEST_HEX_BYTES];

    (void)state;
    /* FIPS 180-4's example */
    assert_true(digest_hex("abc", 3, hex));
    assert_string_equal(hex, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    assert_true(digest_hex("", 0, hex));
    assert_string_equal(hex, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
}

static void text_takes_cells(void **state)
{
    static const struct {
        const char *text;
        size_t cells;
    } widths[] = {{"", 0},
                  {"abc", 3},
                  {"é", 1},
                  {"日本", 4},
                  {"e\xCC\x81", 1},
                  {"👍🏽", 2},
                  {"ｆ", 2},
                  {"a\xE2\x80\x8B"
                   "b",
                   2},
                  {"\xFF", 1},
                  {"━✗⊘┄…└", 6}};

    (void)state;
    for (size_t i = 0; i < sizeof widths / sizeof *widths; i++)
        assert_int_equal(width_of(widths[i].text, strlen(widths[i].text)), widths[i].cells);
}

static void text_is_cut_by_width(void **state)
{
    static const struct {
        const char *text, *cut;
        size_t cells;
    } cuts[] = {{"abc", "abc  ", 5}, {"abc", "abc", 3},  {"abcd", "ab…", 3}, {"日本語", "日… ", 4},
                {"日本", "日本", 4}, {"日本", "日…", 3}, {"abc", "", 0},     {"", "  ", 2}};
    Buf out;

    (void)state;
    for (size_t i = 0; i < sizeof cuts / sizeof *cuts; i++) {
        buf_init(&out, memory_default(), SIZE_MAX);
        width_put(&out, cuts[i].text, strlen(cuts[i].text), cuts[i].cells);
        buf_append_byte(&out, 0);
        assert_string_equal((const char *)out.data, cuts[i].cut);
        buf_release(&out);
    }
}

static void times_are_short(void **state)
{
    static const struct {
        double ms;
        const char *text;
    } times[] = {{0, "0 us"},        {0.0994, "99 us"}, {0.1, "0.10 ms"},  {1.234, "1.23 ms"},
                 {12.34, "12.3 ms"}, {123.4, "123 ms"}, {999.4, "999 ms"}, {1500, "1.50 s"},
                 {61000, "61.0 s"},  {-3, "0 us"}};
    Buf out;

    (void)state;
    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        buf_init(&out, memory_default(), SIZE_MAX);
        trace_put_time(&out, times[i].ms);
        buf_append_byte(&out, 0);
        assert_string_equal((const char *)out.data, times[i].text);
        buf_release(&out);
    }
}

/* Two calls side by side, an original inside one of them, one that waited and was cut off. */
static void a_run_is_drawn(void **state)
{
    static PastCall calls[] = {{.name = "a.one",
                                .line = 1,
                                .state = PAST_ANSWERED,
                                .made = true,
                                .asked_ms = 0,
                                .made_ms = 0,
                                .ended_ms = 50,
                                .ran = "mock.one"},
                               {.name = "a.two",
                                .line = 22,
                                .state = PAST_CANCELLED,
                                .made = true,
                                .asked_ms = 25,
                                .made_ms = 50,
                                .ended_ms = 100},
                               {.name = "a.one",
                                .line = 1,
                                .state = PAST_ANSWERED,
                                .made = true,
                                .asked_ms = 10,
                                .made_ms = 10,
                                .ended_ms = 40,
                                .of = 1}};
    static const char wanted[] = "run abc  p.ts  1970-01-01 00:00:00Z  ok  100 ms  3 calls\n"
                                 " line call                   0 ms            100 ms\n"
                                 "    1 a.one()                ━━━━━━━━━━━             50.0 ms\n"
                                 "        in its place ran mock.one\n"
                                 "    1   └ original a.one()     ━━━━━━━               30.0 ms\n"
                                 "   22 a.two()                     ······━━━━━━━━━━┄  75.0 ms\n"
                                 "        cancelled: the run ended first\n";
    PastRun run = {.id = "abc",
                   .level = "normal",
                   .name = "p.ts",
                   .language = "typescript",
                   .label = "",
                   .policy = "",
                   .after = "",
                   .status = "ok",
                   .wall_ms = 100,
                   .source = "",
                   .call_count = 3,
                   .calls = calls};
    Arena arena;
    Buf out;

    (void)state;
    arena_init(&arena, memory_default(), 1 << 20);
    buf_init(&out, memory_default(), SIZE_MAX);
    assert_int_equal(trace_put_text(&out, &arena, &run, false, 60), TN_OK);
    buf_append_byte(&out, 0);
    assert_string_equal((const char *)out.data, wanted);
    buf_clear(&out);
    assert_int_equal(trace_put_chrome(&out, &arena, &run), TN_OK);
    buf_append_byte(&out, 0);
    /* the original on its call's line, the other one on the next */
    assert_non_null(strstr(
        (const char *)out.data,
        "\"ph\":\"X\",\"pid\":1,\"tid\":2,\"cat\":\"cancelled\",\"ts\":25000,\"dur\":75000"));
    assert_non_null(strstr((const char *)out.data,
                           "\"tid\":1,\"cat\":\"answered\",\"ts\":10000,\"dur\":30000"));
    buf_release(&out);
    arena_release(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(digests_are_sha256), cmocka_unit_test(text_takes_cells),
        cmocka_unit_test(text_is_cut_by_width), cmocka_unit_test(times_are_short),
        cmocka_unit_test(a_run_is_drawn)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
