/*
 * What the test programs of this folder and its neighbours have in common: a list of tests, checks
 * that count and go on, from any thread, and no signal handlers of their own (those are what some
 * of the tests are about).
 *
 *   static void adds(void) { CHECK(1 + 1 == 2); }
 *   int main(int argc, char **argv) { return RUN(argc, argv, { "adds", adds }); }
 *
 * With arguments only the tests whose names contain one of them run.
 */
#ifndef TESTS_CHECK_H
#define TESTS_CHECK_H

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#if defined(__SANITIZE_ADDRESS__)
#define CHECK_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define CHECK_ASAN 1
#endif
#endif
#ifndef CHECK_ASAN
#define CHECK_ASAN 0
#endif

typedef struct Test {
    const char *name;
    void (*run)(void);
} Test;

static int check_wrong_; /* in the test that runs; touched atomically */

static inline void check_failed_(const char *what, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    __atomic_fetch_add(&check_wrong_, 1, __ATOMIC_RELAXED);
}

#define CHECK(condition)                                                                           \
    ((condition) ? true : (check_failed_(#condition, __FILE__, __LINE__), false))

/* With words that say what was there instead. */
#define CHECK_SAY(condition, ...)                                                                  \
    do {                                                                                           \
        if (!CHECK(condition)) {                                                                   \
            (void)fprintf(stderr, "    " __VA_ARGS__);                                             \
            (void)fputc('\n', stderr);                                                             \
        }                                                                                          \
    } while (0)

static inline double check_now_ms(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static inline bool check_wanted_(const char *name, int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (strstr(name, argv[i]))
            return true;
    }
    return argc < 2;
}

static inline int check_run_(const Test *tests, size_t count, int argc, char **argv)
{
    int passed = 0, failed = 0;

    for (size_t i = 0; i < count; i++) {
        if (!check_wanted_(tests[i].name, argc, argv))
            continue;
        double start_ms = check_now_ms();
        check_wrong_ = 0;
        tests[i].run();
        *(check_wrong_ ? &failed : &passed) += 1;
        (void)fprintf(stderr, "%-6s %-40s %8.1f ms\n", check_wrong_ ? "FAILED" : "ok",
                      tests[i].name, check_now_ms() - start_ms);
    }
    (void)fflush(stderr);
    (void)printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

#define RUN(argc, argv, ...)                                                                       \
    check_run_((const Test[]){__VA_ARGS__}, sizeof((const Test[]){__VA_ARGS__}) / sizeof(Test),    \
               argc, argv)

#endif
