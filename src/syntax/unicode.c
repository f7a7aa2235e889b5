#include "words.h"

typedef struct Range {
    uint32_t first;
    uint16_t count;
    bool starts; /* these may also begin a name */
} Range;

/* From tools/syntax-tables.mjs, in order. */
/* clang-format off */
static const Range ranges[] = {
#include "unicode_ranges.inc"
};
/* clang-format on */

static const Range *range_of(uint32_t code)
{
    size_t low = 0;
    size_t high = sizeof(ranges) / sizeof(ranges[0]);

    while (low < high) {
        size_t middle = (low + high) / 2;
        if (code < ranges[middle].first)
            high = middle;
        else if (code - ranges[middle].first < ranges[middle].count)
            return &ranges[middle];
        else
            low = middle + 1;
    }
    return NULL;
}

bool unicode_starts_name(uint32_t code)
{
    const Range *range = range_of(code);
    return range && range->starts;
}

bool unicode_continues_name(uint32_t code)
{
    return range_of(code) != NULL;
}
