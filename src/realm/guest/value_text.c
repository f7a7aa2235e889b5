/* Strings and property keys as UTF-8, straight from the engine's pieces: a rope is not flattened,
 * so that writing a string takes no memory but the output's. */
#include <stdio.h>
#include <string.h>

#include "utf8.h"
#include "value_parts.h"

static bool is_high(unsigned unit)
{
    return unit >= 0xD800 && unit <= 0xDBFF;
}

static bool is_low(unsigned unit)
{
    return unit >= 0xDC00 && unit <= 0xDFFF;
}

/* ---- measuring ---- */

/* A pair of surrogates may lie astride two pieces of a rope; `high` is its first half. */
typedef struct Measure {
    TextSize size;
    bool high;
} Measure;

static void measure_lone(Measure *m)
{
    m->size.bytes += 3;
    m->size.lone = true;
}

static void measure_unit(Measure *m, unsigned unit)
{
    if (m->high) {
        m->high = false;
        if (is_low(unit)) {
            m->size.bytes += 4;
            return;
        }
        measure_lone(m);
    }
    if (is_high(unit))
        m->high = true;
    else if (is_low(unit))
        measure_lone(m);
    else
        m->size.bytes += unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3;
}

bool text_is_ascii(const uint8_t *bytes, size_t length)
{
    uint64_t seen = 0, word;

    for (; length >= sizeof word; bytes += sizeof word, length -= sizeof word) {
        memcpy(&word, bytes, sizeof word);
        seen |= word;
    }
    while (length > 0)
        seen |= bytes[--length];
    return (seen & 0x8080808080808080u) == 0;
}

static void measure_narrow(Measure *m, const uint8_t *units, uint32_t count)
{
    uint32_t beyond_ascii = 0;

    if (m->high) {
        m->high = false;
        measure_lone(m);
    }
    if (!text_is_ascii(units, count))
        for (uint32_t i = 0; i < count; i++)
            beyond_ascii += units[i] >> 7;
    m->size.bytes += (uint64_t)count + beyond_ascii;
}

static void measure_wide(Measure *m, const uint16_t *units, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        if (m->high || (units[i] & 0xF800) == 0xD800)
            measure_unit(m, units[i]);
        else
            m->size.bytes += 1u + (units[i] >= 0x80) + (units[i] >= 0x800);
    }
}

static void measure_piece(Measure *m, const InsideText *piece)
{
    if (piece->count > 0 && piece->wide)
        measure_wide(m, piece->units, piece->count);
    else if (piece->count > 0)
        measure_narrow(m, piece->units, piece->count);
}

static TextSize measure_end(Measure *m)
{
    if (m->high)
        measure_lone(m);
    return m->size;
}

TextSize text_size(JSValueConst string)
{
    Measure m = {.high = false};
    InsideTextWalk walk;
    InsideText piece;

    inside_text_begin(string, &walk);
    while (inside_text_next(&walk, &piece))
        measure_piece(&m, &piece);
    return measure_end(&m);
}

TextSize key_size(JSContext *ctx, JSAtom key)
{
    Measure m = {.high = false};
    InsideText text;
    char digits[12];

    inside_key_text(ctx, key, digits, &text);
    measure_piece(&m, &text);
    return measure_end(&m);
}

uint64_t head_cost(uint64_t argument)
{
    return argument < 24            ? 1
           : argument <= 0xFF       ? 2
           : argument <= 0xFFFF     ? 3
           : argument <= 0xFFFFFFFF ? 5
                                    : 9;
}

uint64_t text_cost(TextSize size)
{
    uint64_t tag = size.lone ? head_cost(CBOR_TAG_WTF8) : 0;

    return tag + head_cost(size.bytes) + size.bytes;
}

/* ---- emitting ---- */

/* Where the bytes go. A cut sink stops before the first character that does not fit, and shows
 * lone surrogates as U+FFFD, since what it makes must be text. */
typedef struct Sink {
    uint8_t *at;
    uint8_t *end;
    unsigned high; /* first half of a pair, 0 if none is pending */
    bool cut;
    bool full;
} Sink;

static void emit_code(Sink *sink, uint32_t code)
{
    uint8_t bytes[4];
    size_t length = utf8_encode(code, bytes);

    if (sink->full || length > (size_t)(sink->end - sink->at)) {
        sink->full = true;
        return;
    }
    memcpy(sink->at, bytes, length);
    sink->at += length;
}

static void emit_lone(Sink *sink, unsigned unit)
{
    emit_code(sink, sink->cut ? 0xFFFD : unit);
}

static void emit_unit(Sink *sink, unsigned unit)
{
    if (sink->high) {
        unsigned high = sink->high;
        sink->high = 0;
        if (is_low(unit)) {
            emit_code(sink, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00));
            return;
        }
        emit_lone(sink, high);
    }
    if (is_high(unit))
        sink->high = unit;
    else if (is_low(unit))
        emit_lone(sink, unit);
    else
        emit_code(sink, unit);
}

static void emit_narrow(Sink *sink, const uint8_t *units, uint32_t count)
{
    if (sink->high == 0 && count <= (size_t)(sink->end - sink->at) && text_is_ascii(units, count)) {
        memcpy(sink->at, units, count);
        sink->at += count;
        return;
    }
    for (uint32_t i = 0; i < count && !sink->full; i++)
        emit_unit(sink, units[i]);
}

static void emit_wide(Sink *sink, const uint16_t *units, uint32_t count)
{
    for (uint32_t i = 0; i < count && !sink->full; i++) {
        unsigned unit = units[i];
        if (unit < 0x800 || sink->high || (unit & 0xF800) == 0xD800 || sink->end - sink->at < 3) {
            emit_unit(sink, unit);
            continue;
        }
        *sink->at++ = (uint8_t)(0xE0 | unit >> 12);
        *sink->at++ = (uint8_t)(0x80 | (unit >> 6 & 0x3F));
        *sink->at++ = (uint8_t)(0x80 | (unit & 0x3F));
    }
}

static void emit_piece(Sink *sink, const InsideText *piece)
{
    if (piece->count > 0 && piece->wide)
        emit_wide(sink, piece->units, piece->count);
    else if (piece->count > 0)
        emit_narrow(sink, piece->units, piece->count);
}

static void emit_end(Sink *sink)
{
    if (sink->high)
        emit_lone(sink, sink->high);
    sink->high = 0;
}

static void emit_string(Sink *sink, JSValueConst string)
{
    InsideTextWalk walk;
    InsideText piece;

    inside_text_begin(string, &walk);
    while (!sink->full && inside_text_next(&walk, &piece))
        emit_piece(sink, &piece);
    emit_end(sink);
}

/* Head and room for a text of this size. False if the output has failed. */
static bool open_text(Buf *out, TextSize size, Sink *sink)
{
    if (size.lone)
        cbor_put_tag(out, CBOR_TAG_WTF8);
    cbor_put_head(out, size.lone ? CBOR_BYTES : CBOR_TEXT, size.bytes);
    if (size.bytes == 0)
        return false;
    uint8_t *at = buf_extend(out, (size_t)size.bytes);
    if (!at)
        return false;
    *sink = (Sink){.at = at, .end = at + size.bytes};
    return true;
}

void text_put(Buf *out, JSValueConst string)
{
    Sink sink;

    if (open_text(out, text_size(string), &sink))
        emit_string(&sink, string);
}

void key_put(JSContext *ctx, Buf *out, JSAtom key)
{
    InsideText text;
    char digits[12];
    Sink sink;

    inside_key_text(ctx, key, digits, &text);
    if (!text.wide && text_is_ascii(text.units, text.count)) {
        cbor_put_text(out, text.units, text.count);
    } else if (open_text(out, key_size(ctx, key), &sink)) {
        emit_piece(&sink, &text);
        emit_end(&sink);
    }
}

void text_put_cut(Buf *out, JSValueConst string, size_t limit)
{
    static const uint8_t dots[] = {0xE2, 0x80, 0xA6}; /* U+2026 */
    bool cut = inside_text_length(string) > limit;
    uint64_t bytes = cut ? limit : text_size(string).bytes;
    size_t start = out->length;
    uint8_t head[9];
    Buf small = {.data = head, .capacity = sizeof head, .limit = sizeof head};

    cut = cut || bytes > limit;
    size_t room = cut ? limit : (size_t)bytes;
    uint8_t *at = room < sizeof dots && cut ? NULL : room == 0 ? NULL : buf_extend(out, room);
    if (!at) {
        cbor_put_text(out, "", 0);
        return;
    }
    Sink sink = {.at = at, .end = at + room - (cut ? sizeof dots : 0), .cut = true};
    emit_string(&sink, string);
    if (cut) {
        memcpy(sink.at, dots, sizeof dots);
        sink.at += sizeof dots;
    }
    /* Only now is the length known: the head goes in front. */
    size_t length = (size_t)(sink.at - at);
    cbor_put_head(&small, CBOR_TEXT, length);
    buf_truncate(out, start + length);
    if (buf_extend(out, small.length)) {
        memmove(out->data + start + small.length, out->data + start, length);
        memcpy(out->data + start, head, small.length);
    }
}

static size_t copy_end(Sink *sink, char *out)
{
    emit_end(sink);
    *sink->at = '\0';
    return (size_t)(sink->at - (uint8_t *)out);
}

size_t text_copy(JSValueConst string, char *out, size_t size)
{
    Sink sink = {.at = (uint8_t *)out, .end = (uint8_t *)out + size - 1, .cut = true};

    emit_string(&sink, string);
    return copy_end(&sink, out);
}

static size_t piece_copy(const InsideText *text, char *out, size_t size)
{
    Sink sink = {.at = (uint8_t *)out, .end = (uint8_t *)out + size - 1, .cut = true};

    emit_piece(&sink, text);
    return copy_end(&sink, out);
}

size_t key_copy(JSContext *ctx, JSAtom key, char *out, size_t size)
{
    InsideText text;
    char digits[12];

    inside_key_text(ctx, key, digits, &text);
    return piece_copy(&text, out, size);
}

/* ---- showing ---- */

static void show_bigint(JSContext *ctx, JSValueConst value, char *out, size_t size)
{
    uint32_t scratch[1], limbs;

    inside_bigint(value, scratch, &limbs);
    const char *digits = limbs <= 16 ? JS_ToCString(ctx, value) : NULL;
    if (digits)
        snprintf(out, size, "%sn", digits);
    else
        snprintf(out, size, "a big integer of about %u bits", limbs * 32);
    JS_FreeCString(ctx, digits);
}

static void show_function(JSContext *ctx, JSValueConst value, char *out, size_t size)
{
    InsideProperty name;
    char text[64] = "";

    inside_own(ctx, value, inside_atom(INSIDE_ATOM_NAME), &name);
    if (name.slot == INSIDE_DATA && inside_kind(name.value) == INSIDE_STRING)
        text_copy(name.value, text, sizeof text);
    snprintf(out, size, text[0] ? "function %s" : "a function%s", text);
}

static void show_symbol(JSContext *ctx, JSValueConst value, char *out, size_t size)
{
    InsideText description;
    char text[96];

    inside_symbol_text(ctx, value, &description);
    piece_copy(&description, text, sizeof text);
    snprintf(out, size, "Symbol(%s)", text);
}

static void show_number(JSContext *ctx, JSValueConst value, char *out, size_t size)
{
    const char *digits = JS_ToCString(ctx, value);

    snprintf(out, size, "%s", digits ? digits : "a number");
    JS_FreeCString(ctx, digits);
}

void text_show(JSContext *ctx, JSValueConst value, char *out, size_t size)
{
    char name[48];

    switch (inside_kind(value)) {
    case INSIDE_UNDEFINED:
        snprintf(out, size, "undefined");
        break;
    case INSIDE_NULL:
        snprintf(out, size, "null");
        break;
    case INSIDE_BOOL:
        snprintf(out, size, "%s", JS_VALUE_GET_BOOL(value) ? "true" : "false");
        break;
    case INSIDE_INT:
    case INSIDE_DOUBLE:
        show_number(ctx, value, out, size);
        break;
    case INSIDE_BIGINT:
        show_bigint(ctx, value, out, size);
        break;
    case INSIDE_STRING:
        text_copy(value, out, size);
        break;
    case INSIDE_SYMBOL:
        show_symbol(ctx, value, out, size);
        break;
    case INSIDE_FUNCTION:
        show_function(ctx, value, out, size);
        break;
    case INSIDE_PROXY:
        snprintf(out, size, "[object Proxy]");
        break;
    default:
        inside_class_name(ctx, value, name, sizeof name);
        snprintf(out, size, "[object %s]", name);
        break;
    }
}
