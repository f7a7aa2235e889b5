/* cmocka wants these before it; and each test program ends with the line that runners read. */
#ifndef CMOCKA_ALL_H
#define CMOCKA_ALL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#define RUN_TESTS(tests)                                                                           \
    do {                                                                                           \
        int count_ = (int)(sizeof(tests) / sizeof((tests)[0]));                                    \
        int failed_ = cmocka_run_group_tests(tests, NULL, NULL);                                   \
        failed_ = failed_ < 0 ? count_ : failed_;                                                  \
        (void)fflush(stderr);                                                                      \
        (void)printf("%d passed, %d failed\n", count_ - failed_, failed_);                         \
        return failed_ != 0;                                                                       \
    } while (0)

#endif
