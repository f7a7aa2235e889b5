/* Where JSON text stops being JSON. */
#ifndef TENON_CLI_JSON_FAULT_H
#define TENON_CLI_JSON_FAULT_H

#include <stddef.h>

typedef struct JsonFault {
    size_t line, column; /* 1-based; the column counts bytes */
    const char *expected;
} JsonFault;

/* Find the first fault. If there is none that this can see, `expected` says only "JSON". */
JsonFault json_fault(const char *text, size_t length);

#endif
