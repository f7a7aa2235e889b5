/* base: arena, buf, utf8, clock. */
#include "failing_allocator.h"

#include "arena.h"
#include "buf.h"
#include "clock.h"
#include "memory.h"
#include "utf8.h"

static void buf_grows_and_keeps(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        Buf buf;
        buf_init(&buf, failing_allocator(&failing), SIZE_MAX);
        for (unsigned i = 0; i < 1000; i++)
            buf_append_byte(&buf, (uint8_t)i);
        tn_status status = buf_status(&buf);
        for (size_t i = 0; i < buf.length; i++)
            assert_int_equal(buf.data[i], (uint8_t)i);
        assert_true(status != TN_OK || buf.length == 1000);
        buf_release(&buf);
        failing_settle(&failing, status);
    }
}

static void buf_keeps_its_limit(void **state)
{
    (void)state;
    Buf buf;
    buf_init(&buf, memory_default(), 10);
    buf_append(&buf, "0123456789", 10);
    assert_int_equal(buf_status(&buf), TN_OK);
    assert_true(buf.capacity <= 10);
    buf_append_byte(&buf, 'x');
    assert_int_equal(buf_status(&buf), TN_ERR_LIMIT);
    buf_append(&buf, "", 0);
    assert_int_equal(buf.length, 10);
    buf_clear(&buf);
    buf_append_uint(&buf, 1234567890);
    assert_int_equal(buf_status(&buf), TN_OK);
    assert_memory_equal(buf.data, "1234567890", 10);
    size_t length, capacity;
    uint8_t *data = buf_take(&buf, &length, &capacity);
    assert_int_equal(length, 10);
    memory_free(memory_default(), data, capacity);
    assert_null(buf_extend(&buf, 11));
    buf_release(&buf);
}

static void buf_survives_huge_sizes(void **state)
{
    (void)state;
    Failing failing = {.refuse = 1};
    Buf buf;
    buf_init(&buf, failing_allocator(&failing), SIZE_MAX - 1);
    buf_append(&buf, "abc", 3);
    assert_null(buf_extend(&buf, SIZE_MAX - 2));
    assert_int_equal(buf_status(&buf), TN_ERR_LIMIT);
    buf_clear(&buf);
    assert_null(buf_extend(&buf, SIZE_MAX / 2 + 2));
    assert_int_equal(buf_status(&buf), TN_ERR_NOMEM);
    buf_release(&buf);
    assert_int_equal(failing.bytes, 0);
}

static void arena_gives_zeroed_aligned_memory(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        Arena arena;
        arena_init(&arena, failing_allocator(&failing), SIZE_MAX);
        for (size_t i = 0; i < 300; i++) {
            uint8_t *block = arena_push(&arena, i * 7);
            if (!block)
                break;
            assert_int_equal((uintptr_t)block % 16, 0);
            for (size_t k = 0; k < i * 7; k++)
                assert_int_equal(block[k], 0);
            memset(block, 0xFF, i * 7);
        }
        char *text = arena_printf(&arena, "%s-%d", "seven", 7);
        char *copy = text ? arena_text(&arena, text, 5) : NULL;
        assert_true(copy == NULL || strcmp(copy, "seven") == 0);
        tn_status status = arena_status(&arena);
        assert_true(status == TN_OK || arena_push(&arena, 1) == NULL);
        arena_release(&arena);
        failing_settle(&failing, status);
    }
}

static void arena_keeps_its_limit(void **state)
{
    (void)state;
    Failing failing = {.refuse = SIZE_MAX};
    Arena arena;
    arena_init(&arena, failing_allocator(&failing), 5000);
    while (arena_push(&arena, 100))
        assert_true(failing.bytes <= 5000);
    assert_int_equal(arena_status(&arena), TN_ERR_LIMIT);
    assert_true(failing.peak > 4000 && failing.peak <= 5000);
    arena_release(&arena);
    assert_int_equal(failing.bytes, 0);

    arena_init(&arena, failing_allocator(&failing), SIZE_MAX);
    assert_null(arena_push_array(&arena, SIZE_MAX / 2, 3));
    assert_int_equal(arena_status(&arena), TN_ERR_LIMIT);
    arena_release(&arena);
}

/* Every code point there and back, and every two- and three-byte string judged as Unicode does. */
static void utf8_round_trips_every_code_point(void **state)
{
    (void)state;
    for (uint32_t code = 0; code <= 0x10FFFF; code++) {
        uint8_t bytes[4];
        uint32_t back = 0;
        size_t length = utf8_encode(code, bytes);
        bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        if (wtf8_decode(bytes, length, &back) != length || back != code ||
            utf8_valid(bytes, length) == surrogate || !wtf8_valid(bytes, length) ||
            utf8_units(bytes, length) != (code > 0xFFFF ? 2 : 1) ||
            utf8_decode(bytes, length - 1, &back) != 0)
            fail_msg("code point U+%04X", code);
    }
}

static void utf8_refuses_what_is_not(void **state)
{
    (void)state;
    static const char *const bad[] = {"\x80",
                                      "\xC0\xAF",
                                      "\xC1\xBF",
                                      "\xC3",
                                      "\xC3(",
                                      "\xE0\x80\xAF",
                                      "\xE2\x82",
                                      "\xE2(\xA1",
                                      "\xF0\x8F\xBF\xBF",
                                      "\xF0\x9F\x98",
                                      "\xF4\x90\x80\x80",
                                      "\xF5\x80\x80\x80",
                                      "\xFF",
                                      "a\xFE"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        assert_false(utf8_valid(bad[i], strlen(bad[i])));
        assert_false(wtf8_valid(bad[i], strlen(bad[i])));
    }
    assert_true(utf8_valid("", 0));
    assert_true(utf8_valid("a\0b", 3));
    assert_true(wtf8_valid("\xED\xA0\x80", 3));
    assert_true(wtf8_valid("\xED\xB0\x80\xED\xA0\x80", 6));
    assert_false(wtf8_valid("\xED\xA0\x80\xED\xB0\x80", 6));
    assert_false(utf8_valid("\xED\xA0\x80", 3));
}

static void utf8_counts(void **state)
{
    (void)state;
    const char text[] = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";
    size_t length = sizeof text - 1;
    assert_int_equal(utf8_units(text, length), 6);
    assert_int_equal(utf8_points(text, length), 5);
    assert_int_equal(utf8_floor(text, length, 2), 1);
    assert_int_equal(utf8_floor(text, length, 9), 6);
    assert_int_equal(utf8_floor(text, length, 99), length);
    assert_int_equal(utf8_offset_of_unit(text, length, 0), 0);
    assert_int_equal(utf8_offset_of_unit(text, length, 3), 6);
    assert_int_equal(utf8_offset_of_unit(text, length, 4), 6);
    assert_int_equal(utf8_offset_of_unit(text, length, 5), 10);
    assert_int_equal(utf8_offset_of_unit(text, length, 99), length);
}

static void clocks_run(void **state)
{
    (void)state;
    double before = clock_monotonic_ms(), cpu = clock_thread_cpu_ms();
    for (volatile unsigned i = 0; i < 2000000;)
        i = i + 1;
    assert_true(clock_monotonic_ms() > before);
    assert_true(clock_thread_cpu_ms() > cpu);
    assert_true(clock_wall_ms() > 1.7e12);
    assert_true(clock_monotonic_ns() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buf_grows_and_keeps),
        cmocka_unit_test(buf_keeps_its_limit),
        cmocka_unit_test(buf_survives_huge_sizes),
        cmocka_unit_test(arena_gives_zeroed_aligned_memory),
        cmocka_unit_test(arena_keeps_its_limit),
        cmocka_unit_test(utf8_round_trips_every_code_point),
        cmocka_unit_test(utf8_refuses_what_is_not),
        cmocka_unit_test(utf8_counts),
        cmocka_unit_test(clocks_run),
    };
    RUN_TESTS(tests);
}
