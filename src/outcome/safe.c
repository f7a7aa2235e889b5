#include "safe.h"

#include <stdio.h>
#include <string.h>

#include "utf8.h"

static bool is_command(uint32_t code)
{
    return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code <= 0x9F) ||
           code == 0x200E || code == 0x200F || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069);
}

static void put_shown(Buf *out, uint32_t code)
{
    char text[16];
    int length = snprintf(text, sizeof text, code < 0x100 ? "\\x%02x" : "\\u{%x}", code);
    buf_append(out, text, (size_t)length);
}

/* The bytes of a whole terminal sequence at an escape character; 0 if it is none.
 *   CSI  ESC [ parameters (0x30-0x3F) intermediates (0x20-0x2F) final (0x40-0x7E)
 *   OSC  ESC ] anything but controls, then BEL or ESC \  */
static size_t sequence_length(const char *text, size_t length)
{
    size_t at = 2;

    if (length < 2 || text[0] != '\x1B')
        return 0;
    if (text[1] == '[') {
        while (at < length && text[at] >= 0x20 && text[at] <= 0x3F)
            at++;
        return at < length && text[at] >= 0x40 && text[at] <= 0x7E ? at + 1 : 0;
    }
    if (text[1] != ']')
        return 0;
    while (at < length && (unsigned char)text[at] >= 0x20)
        at++;
    if (at < length && text[at] == '\a')
        return at + 1;
    return at + 1 < length && text[at] == '\x1B' && text[at + 1] == '\\' ? at + 2 : 0;
}

static void put_safe(Buf *out, const char *text, size_t length, bool drop_sequences)
{
    size_t at = 0, plain = 0;

    while (at < length) {
        uint32_t code;
        size_t bytes = utf8_decode(text + at, length - at, &code);
        if (bytes > 0 && !is_command(code)) {
            at += bytes;
            continue;
        }
        buf_append(out, text + plain, at - plain);
        size_t dropped = drop_sequences ? sequence_length(text + at, length - at) : 0;
        bool line_end = bytes > 0 && code == '\r' && at + 1 < length && text[at + 1] == '\n';
        if (dropped == 0 && bytes == 0)
            buf_append_string(out, "\xEF\xBF\xBD");
        else if (dropped == 0 && !line_end)
            put_shown(out, code);
        at += dropped > 0 ? dropped : bytes > 0 ? bytes : 1;
        plain = at;
    }
    buf_append(out, text + plain, at - plain);
}

void safe_put(Buf *out, const char *text, size_t length)
{
    put_safe(out, text, length, false);
}

void safe_put_string(Buf *out, const char *string)
{
    put_safe(out, string, strlen(string), false);
}

void safe_put_plain(Buf *out, const char *text, size_t length)
{
    put_safe(out, text, length, true);
}
