/* outcome/console and journal: what is kept within a limit, and what is said of the rest. */
#include "failing_allocator.h"

#include "console.h"
#include "journal.h"
#include "memory.h"
#include "utf8.h"

/* The entries as one text, each with a bar after it. */
static void holds(const Console *console, const char *expected)
{
    static char text[4096];
    char *at = text;
    ConsoleWalk walk = {0};
    tn_console_entry entry;
    while (console_next(console, &walk, &entry)) {
        assert_true(at + entry.length + 2 < text + sizeof text);
        memcpy(at, entry.text, entry.length);
        at += entry.length;
        *at++ = '|';
    }
    *at = '\0';
    assert_string_equal(text, expected);
}

static void print(Console *console, const char *text)
{
    console_add(console, TN_LEVEL_LOG, 1, text, strlen(text));
}

static void keeps_all_up_to_its_limit(void **state)
{
    (void)state;
    Console console;
    console_init(&console, memory_default(), 20);
    print(&console, "0123456");
    print(&console, "");
    print(&console, "89012");
    print(&console, "34567890");
    holds(&console, "0123456||89012|34567890|");
    assert_int_equal(console.dropped_bytes, 0);
    /* one byte more: the oldest behind the head goes */
    print(&console, "x");
    holds(&console, "0123456||... 5 bytes of output in 1 entries dropped here ...|34567890|x|");
    assert_int_equal(console.written_bytes, 21);
    assert_int_equal(console.dropped_bytes, 5);
    console_release(&console);
}

static void keeps_one_entry_of_the_limit(void **state)
{
    (void)state;
    Console console;
    console_init(&console, memory_default(), 30);
    print(&console, "012345678901234567890123456789");
    holds(&console, "012345678901234567890123456789|");
    console_release(&console);
    console_init(&console, memory_default(), 30);
    print(&console, "0123456789012345678901234567890");
    holds(&console, "... 9 bytes of output in 1 entries dropped here ...|01234567890 [...] "
                    "01234567890|");
    console_release(&console);
}

static void cuts_at_characters(void **state)
{
    (void)state;
    for (size_t limit = 0; limit < 60; limit++) {
        Console console;
        ConsoleWalk walk = {0};
        tn_console_entry entry;
        char text[200];
        for (size_t i = 0; i < 50; i++)
            (void)utf8_encode(0x1F600, (uint8_t *)text + 4 * i);
        console_init(&console, memory_default(), limit);
        console_add(&console, TN_LEVEL_WARN, 3, text, sizeof text);
        size_t kept = 0;
        while (console_next(&console, &walk, &entry)) {
            if (memchr(entry.text, 'd', entry.length)) /* the marker */
                continue;
            kept += entry.length;
            assert_int_equal((entry.length - 7) % 4, 0);
        }
        assert_true(kept <= limit);
        console_release(&console);
    }
}

/* However much is printed, memory stays within twice the limit and the entries' heads. */
static void takes_bounded_memory(void **state)
{
    (void)state;
    static const size_t lengths[] = {0, 1, 100, 1000, 100000};
    for (size_t i = 0; i < sizeof lengths / sizeof lengths[0]; i++) {
        Failing failing = {.refuse = SIZE_MAX};
        Console console;
        char *text = malloc(lengths[i] + 1);
        assert_non_null(text);
        memset(text, 'x', lengths[i] + 1);
        console_init(&console, failing_allocator(&failing), 10000);
        for (int k = 0; k < 20000; k++)
            console_add(&console, TN_LEVEL_LOG, k, text, lengths[i]);
        assert_true(failing.peak < 100000);
        assert_int_equal(console.written_bytes, 20000 * lengths[i]);
        ConsoleWalk walk = {0};
        tn_console_entry entry;
        uint64_t kept = 0, entries = 0;
        while (console_next(&console, &walk, &entry)) {
            kept += entry.length;
            entries++;
        }
        assert_true(kept <= 10000 + 96);
        assert_true(entries <= 700);
        assert_true(entries > 10 || lengths[i] > 500);
        console_release(&console);
        assert_int_equal(failing.bytes, 0);
        free(text);
    }
}

static void refusal_of_memory(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        Console console;
        ConsoleWalk walk = {0};
        tn_console_entry entry;
        console_init(&console, failing_allocator(&failing), 300);
        for (int i = 0; i < 100; i++)
            print(&console, "0123456789");
        while (console_next(&console, &walk, &entry))
            assert_true(entry.length == 10 || entry.length > 40);
        tn_status status = console_status(&console);
        assert_int_equal(console.written_bytes, 1000);
        console_release(&console);
        failing_settle(&failing, status);
    }
}

static void journal_keeps_calls(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        Journal journal;
        size_t index = 0;
        tn_status status = TN_OK;
        journal_init(&journal, failing_allocator(&failing), 100);
        for (unsigned i = 0; i < 100 && status == TN_OK; i++) {
            status = journal_ask(&journal, "a.b", i, i % 2 == 0, i, &index);
            if (status != TN_OK)
                break;
            assert_int_equal(index, i);
            if (i % 4 == 0)
                journal_answer(&journal, index, i + 2.5, NULL, 0);
            else if (i % 4 == 1)
                journal_fail(&journal, index, i + 1, "broken", 6, NULL, 0);
            else if (i % 4 == 2)
                journal_deny(&journal, index, i + 1, "denied", 6, NULL, 0);
        }
        if (status == TN_OK) {
            journal_end(&journal, 1000);
            assert_int_equal(journal_ask(&journal, "a.b", 1, false, 0, &index), TN_ERR_LIMIT);
            assert_int_equal(journal_entry(&journal, 0)->state, JOURNAL_ANSWERED);
            assert_true(journal_entry(&journal, 0)->duration_ms == 2.5);
            assert_int_equal(journal_entry(&journal, 2)->state, JOURNAL_DENIED);
            assert_int_equal(journal_entry(&journal, 3)->state, JOURNAL_OPEN);
            assert_true(journal_entry(&journal, 3)->duration_ms == 997);
            assert_null(journal_entry(&journal, 100));
            /* a message that could not be kept is still not empty */
            assert_true(strlen(journal_entry(&journal, 1)->error) >= 6);
        }
        if (failing.refused && status == TN_OK)
            status = arena_status(&journal.arena);
        journal_release(&journal);
        failing_settle(&failing, status);
    }
}

static void journal_cuts_messages(void **state)
{
    (void)state;
    Journal journal;
    size_t index;
    char message[3000];
    for (size_t i = 0; i < sizeof message; i += 2)
        (void)utf8_encode(0xE9, (uint8_t *)message + i);
    journal_init(&journal, memory_default(), 1);
    assert_int_equal(journal_ask(&journal, "a.b", 1, false, 0, &index), TN_OK);
    journal_fail(&journal, index, 1, message, sizeof message, NULL, 0);
    assert_int_equal(strlen(journal_entry(&journal, 0)->error), 1000);
    journal_release(&journal);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keeps_all_up_to_its_limit), cmocka_unit_test(keeps_one_entry_of_the_limit),
        cmocka_unit_test(cuts_at_characters),        cmocka_unit_test(takes_bounded_memory),
        cmocka_unit_test(refusal_of_memory),         cmocka_unit_test(journal_keeps_calls),
        cmocka_unit_test(journal_cuts_messages),
    };
    RUN_TESTS(tests);
}
