#include "width.h"

#include "base.h"
#include "utf8.h"

typedef struct Range {
    uint32_t first, last;
} Range;

/* The blocks that hold next to nothing else; East Asian Width and general categories of Unicode. */
static const Range marks[] = {
    {0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD}, {0x0610, 0x061A},   {0x064B, 0x065F},
    {0x093C, 0x093C}, {0x0941, 0x0948}, {0x094D, 0x094D}, {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E},
    {0x1AB0, 0x1AFF}, {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x20D0, 0x20FF},   {0x302A, 0x302D},
    {0x3099, 0x309A}, {0xFE00, 0xFE0F}, {0xFE20, 0xFE2F}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF}};
static const Range wide[] = {
    {0x1100, 0x115F},   {0x231A, 0x231B},   {0x23E9, 0x23EC},   {0x2614, 0x2615},
    {0x26AA, 0x26AB},   {0x26BD, 0x26BE},   {0x26C4, 0x26C5},   {0x2705, 0x2705},
    {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},   {0x2753, 0x2755},
    {0x2795, 0x2797},   {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2E80, 0x303E},
    {0x3041, 0xA4CF},   {0xA960, 0xA97C},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
    {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x17000, 0x18CFF},
    {0x1B000, 0x1B2FF}, {0x1F18E, 0x1F18E}, {0x1F191, 0x1F19A}, {0x1F200, 0x1F64F},
    {0x1F680, 0x1F6FF}, {0x1F7E0, 0x1F7EB}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF},
    {0x20000, 0x3FFFD}};

static bool is_in(const Range *ranges, size_t count, uint32_t code)
{
    for (size_t i = 0; i < count && ranges[i].first <= code; i++) {
        if (code <= ranges[i].last)
            return true;
    }
    return false;
}

static size_t cells_of(uint32_t code)
{
    if (code < 0x300)
        return 1;
    return is_in(marks, COUNT_OF(marks), code) ? 0 : is_in(wide, COUNT_OF(wide), code) ? 2 : 1;
}

/* The bytes of the longest beginning that takes at most `cells`. */
static size_t fitting(const char *text, size_t length, size_t cells, size_t *out_cells)
{
    size_t at = 0, used = 0;

    while (at < length) {
        uint32_t code = 'x';
        size_t bytes = utf8_decode(text + at, length - at, &code);
        size_t own = cells_of(code);
        if (used + own > cells)
            break;
        used += own;
        at += bytes ? bytes : 1;
    }
    *out_cells = used;
    return at;
}

size_t width_of(const char *text, size_t length)
{
    size_t cells;

    (void)fitting(text, length, SIZE_MAX, &cells);
    return cells;
}

void width_put(Buf *out, const char *text, size_t length, size_t cells)
{
    size_t used, fits = fitting(text, length, cells, &used);

    if (fits < length && cells > 0) {
        fits = fitting(text, length, cells - 1, &used);
        buf_append(out, text, fits);
        buf_append_string(out, "\xE2\x80\xA6");
        used++;
    } else {
        buf_append(out, text, fits);
    }
    while (used++ < cells)
        buf_append_byte(out, ' ');
}
