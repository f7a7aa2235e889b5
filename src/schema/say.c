#include "say.h"

#include "number.h"
#include "utf8.h"

enum { TEXT_SHOWN = 60, JSON_SHOWN = 200, DEPTH_SHOWN = 4 };

bool say_is_hidden(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0xAD || code == 0x61C ||
           code == 0x180E || code == 0x200B || code == 0x200E || code == 0x200F ||
           (code >= 0x2028 && code <= 0x202E) || (code >= 0x2060 && code <= 0x206F) ||
           (code >= 0xD800 && code < 0xE000) || code == 0xFEFF ||
           (code >= 0xFFF0 && code <= 0xFFFB) || code >= 0xE0000;
}

static void say_unit(Buf *buf, uint32_t unit)
{
    static const char digits[] = "0123456789abcdef";

    buf_append_string(buf, "\\u");
    for (int shift = 12; shift >= 0; shift -= 4)
        buf_append_byte(buf, (uint8_t)digits[unit >> shift & 15]);
}

void say_text(Buf *buf, const char *text, size_t length, size_t most)
{
    size_t end = length > most ? utf8_floor(text, length, most) : length;
    uint32_t code;

    buf_append_byte(buf, '"');
    for (size_t i = 0, count; i < end; i += count) {
        count = wtf8_decode(text + i, end - i, &code);
        if (count == 0) {
            count = 1;
            code = 0xFFFD;
        }
        if (code == '\n' || code == '\t') {
            buf_append_string(buf, code == '\n' ? "\\n" : "\\t");
        } else if (say_is_hidden(code)) {
            if (code >= 0x10000)
                say_unit(buf, 0xD800 + ((code - 0x10000) >> 10));
            say_unit(buf, code >= 0x10000 ? 0xDC00 + ((code - 0x10000) & 0x3FF) : code);
        } else {
            if (code == '"' || code == '\\')
                buf_append_byte(buf, '\\');
            buf_append(buf, text + i, count);
        }
    }
    buf_append_string(buf, end < length ? "...\"" : "\"");
}

static void say_number(Buf *buf, double number)
{
    char text[NUMBER_TEXT_MAX];

    (void)number_text(number == 0 ? 0 : number, text);
    buf_append_string(buf, text);
}

/* For a reader or as a type; false for a container, which is still to be said. */
static bool say_simple(Buf *buf, const Datum *value, bool literal)
{
    switch ((DatumKind)value->kind) {
    case DATUM_NULL:
        buf_append_string(buf, "null");
        return true;
    case DATUM_BOOL:
        buf_append_string(buf, value->truth ? "true" : "false");
        return true;
    case DATUM_NUMBER:
        if (literal && value->big) {
            buf_append_string(buf, "number");
            return true;
        }
        buf_append_string(buf, value->big ? "about " : "");
        say_number(buf, value->number);
        return true;
    case DATUM_TEXT:
        say_text(buf, value->text, value->count, literal ? SIZE_MAX : TEXT_SHOWN);
        return true;
    case DATUM_OTHER:
        buf_append_string(buf, literal ? "unknown" : value->word);
        return true;
    case DATUM_ARRAY:
    case DATUM_OBJECT:
        break;
    }
    return false;
}

static void say(Buf *buf, const Datum *value, bool literal, unsigned depth)
{
    bool object = value->kind == DATUM_OBJECT;

    if (say_simple(buf, value, literal))
        return;
    buf_append_byte(buf, object ? '{' : '[');
    for (uint32_t i = 0; i < value->count; i++) {
        buf_append_string(buf, i > 0 ? ", " : "");
        if (!literal && (buf->length > JSON_SHOWN || depth > DEPTH_SHOWN)) {
            buf_append_string(buf, "...");
            break;
        }
        if (object) {
            say_text(buf, value->members[i].name, value->members[i].length,
                     literal ? SIZE_MAX : TEXT_SHOWN);
            buf_append_string(buf, ": ");
        }
        say(buf, object ? &value->members[i].value : &value->items[i], literal, depth + 1);
    }
    buf_append_byte(buf, object ? '}' : ']');
}

void say_json(Buf *buf, const Datum *value)
{
    say(buf, value, false, 0);
}

void say_literal(Buf *buf, const Datum *value)
{
    say(buf, value, true, 0);
}
