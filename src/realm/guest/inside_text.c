/* The text codecs of TextEncoder and TextDecoder (Encoding Standard, sections 8, 11.3 and 14).
 *
 * Included by inside_inspect.c at the end of the engine's source. A decoder call gives back the
 * text and how many bytes at the end are the beginning of a sequence that is not finished, so the
 * prelude can keep them for the next chunk; `null` is a fatal error in the bytes.
 */

/* One decoder run: units are appended to `units`, which has room for one unit per byte. */
typedef struct TextDecode {
    const uint8_t *bytes;
    size_t length;
    uint16_t *units;
    size_t count;
    size_t tail; /* bytes of an unfinished sequence at the end */
    int fatal;
    int stream;
    int failed;
} TextDecode;

static void text_emit(TextDecode *d, uint32_t point)
{
    if (point > 0xFFFF) {
        d->units[d->count++] = (uint16_t)(0xD7C0 + (point >> 10));
        d->units[d->count++] = (uint16_t)(0xDC00 + (point & 0x3FF));
    } else {
        d->units[d->count++] = (uint16_t)point;
    }
}

static void text_emit_error(TextDecode *d)
{
    if (d->fatal)
        d->failed = 1;
    else
        d->units[d->count++] = 0xFFFD;
}

/* How many bytes follow `lead`, and the range of the first of them; 0 when `lead` leads nothing. */
static int text_utf8_needs(uint8_t lead, uint8_t *out_lower, uint8_t *out_upper)
{
    *out_lower = 0x80;
    *out_upper = 0xBF;
    if (lead >= 0xC2 && lead <= 0xDF)
        return 1;
    if (lead >= 0xE0 && lead <= 0xEF) {
        if (lead == 0xE0)
            *out_lower = 0xA0;
        if (lead == 0xED)
            *out_upper = 0x9F;
        return 2;
    }
    if (lead >= 0xF0 && lead <= 0xF4) {
        if (lead == 0xF0)
            *out_lower = 0x90;
        if (lead == 0xF4)
            *out_upper = 0x8F;
        return 3;
    }
    return 0;
}

static void text_decode_utf8(TextDecode *d)
{
    size_t i = 0;

    while (i < d->length && !d->failed) {
        uint8_t lead = d->bytes[i], lower, upper;
        uint32_t point;
        int needs, got;

        if (lead < 0x80) {
            d->units[d->count++] = lead;
            i++;
            continue;
        }
        needs = text_utf8_needs(lead, &lower, &upper);
        if (needs == 0) {
            text_emit_error(d);
            i++;
            continue;
        }
        point = lead & (0x3Fu >> needs);
        for (got = 0; got < needs && i + 1 + (size_t)got < d->length; got++) {
            uint8_t next = d->bytes[i + 1 + (size_t)got];

            if (next < lower || next > upper)
                break;
            lower = 0x80;
            upper = 0xBF;
            point = (point << 6) | (next & 0x3Fu);
        }
        if (got < needs && i + 1 + (size_t)got == d->length && d->stream) {
            d->tail = d->length - i;
            return;
        }
        if (got == needs)
            text_emit(d, point);
        else
            text_emit_error(d);
        i += 1 + (size_t)got;
    }
}

/* A lead surrogate waits for its trail: it stays in the tail of a stream. */
static void text_decode_utf16(TextDecode *d)
{
    size_t i = 0;

    while (i + 1 < d->length && !d->failed) {
        uint32_t unit = (uint32_t)d->bytes[i] | (uint32_t)d->bytes[i + 1] << 8;
        uint32_t next;

        if (unit < 0xD800 || unit > 0xDFFF) {
            d->units[d->count++] = (uint16_t)unit;
            i += 2;
            continue;
        }
        if (unit <= 0xDBFF && i + 3 >= d->length && d->stream)
            break;
        next = i + 3 < d->length ? (uint32_t)d->bytes[i + 2] | (uint32_t)d->bytes[i + 3] << 8 : 0;
        if (unit <= 0xDBFF && next >= 0xDC00 && next <= 0xDFFF) {
            d->units[d->count++] = (uint16_t)unit;
            d->units[d->count++] = (uint16_t)next;
            i += 4;
        } else {
            text_emit_error(d);
            /* an unpaired lead takes an odd last byte with it: one error, not two */
            i = unit <= 0xDBFF && i + 3 == d->length ? d->length : i + 2;
        }
    }
    if (d->stream)
        d->tail = d->length - i;
    else if (i < d->length && !d->failed)
        text_emit_error(d);
}

/* windows-1252, which the Encoding Standard also means by latin1 and ascii. */
static void text_decode_latin1(TextDecode *d)
{
    static const uint16_t upper[32] = {
        0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
        0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178,
    };
    size_t i;

    for (i = 0; i < d->length; i++) {
        uint8_t byte = d->bytes[i];

        d->units[d->count++] = byte >= 0x80 && byte < 0xA0 ? upper[byte - 0x80] : byte;
    }
}

/* The bytes of a Uint8Array the prelude made over the caller's buffer. NULL when it is detached or
 * empty, with *out_length 0. */
static const uint8_t *text_bytes(JSValueConst array, size_t *out_length)
{
    JSObject *p;

    *out_length = 0;
    if (JS_VALUE_GET_TAG(array) != JS_TAG_OBJECT)
        return NULL;
    p = JS_VALUE_GET_OBJ(array);
    if (p->class_id != JS_CLASS_UINT8_ARRAY || typed_array_is_oob(p))
        return NULL;
    *out_length = p->u.array.count;
    return p->u.array.u.uint8_ptr;
}

/* A string of these units, one byte each where all fit. */
static JSValue text_string(JSContext *ctx, const uint16_t *units, size_t count)
{
    uint16_t seen = 0;
    JSString *str;
    size_t i;

    if (count == 0)
        return js_empty_string(ctx->rt);
    if (count > JS_STRING_LEN_MAX)
        return JS_ThrowRangeError(ctx, "invalid string length");
    for (i = 0; i < count; i++)
        seen |= units[i];
    if (seen > 0xFF)
        return js_new_string16_len(ctx, units, (int)count);
    str = js_alloc_string(ctx, (int)count, 0);
    if (!str)
        return JS_EXCEPTION;
    for (i = 0; i < count; i++)
        str8(str)[i] = (uint8_t)units[i];
    str8(str)[count] = '\0';
    return JS_MKPTR(JS_TAG_STRING, str);
}

/* decode(bytes, codec 0 utf-8 1 utf-16le 2 windows-1252, flags 1 fatal 2 stream, count): [text,
 * tail]. `count` says how many of the bytes are meant when not all are. */
static JSValue text_decode(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    TextDecode d = {0};
    JSValue text, out;
    JSValueConst pair[2];
    int codec, flags;

    (void)this_val;
    (void)argc;
    if (JS_ToInt32(ctx, &codec, argv[1]) < 0 || JS_ToInt32(ctx, &flags, argv[2]) < 0)
        return JS_EXCEPTION;
    d.bytes = text_bytes(argv[0], &d.length);
    if (!JS_IsUndefined(argv[3])) {
        uint32_t count;

        if (JS_ToUint32(ctx, &count, argv[3]) < 0)
            return JS_EXCEPTION;
        d.length = count < d.length ? count : d.length;
    }
    d.fatal = flags & 1;
    d.stream = flags & 2;
    d.units = js_malloc(ctx, (d.length + 1) * sizeof(d.units[0]));
    if (!d.units)
        return JS_EXCEPTION;
    if (codec == 0)
        text_decode_utf8(&d);
    else if (codec == 1)
        text_decode_utf16(&d);
    else
        text_decode_latin1(&d);
    if (d.failed) {
        js_free(ctx, d.units);
        return JS_NULL;
    }
    text = text_string(ctx, d.units, d.count);
    js_free(ctx, d.units);
    if (JS_IsException(text))
        return JS_EXCEPTION;
    pair[0] = text;
    pair[1] = js_int32((int32_t)d.tail);
    out = js_create_array(ctx, 2, pair);
    JS_FreeValue(ctx, text);
    return out;
}

/* encode(string): a Uint8Array of UTF-8, a lone surrogate becoming U+FFFD (same three bytes long
 * as what the engine writes for it). */
static JSValue text_encode(JSContext *ctx, JSValueConst this_val, int argc, JSValueConst *argv)
{
    size_t length, i;
    const char *text;
    uint8_t *bytes;
    JSValue out;

    (void)this_val;
    (void)argc;
    text = JS_ToCStringLen(ctx, &length, argv[0]);
    if (!text)
        return JS_EXCEPTION;
    out = JS_NewUint8ArrayCopy(ctx, (const uint8_t *)text, length);
    JS_FreeCString(ctx, text);
    if (JS_IsException(out))
        return JS_EXCEPTION;
    bytes = JS_VALUE_GET_OBJ(out)->u.array.u.uint8_ptr;
    for (i = 0; i + 2 < length; i++) {
        if (bytes[i] == 0xED && bytes[i + 1] >= 0xA0) {
            bytes[i] = 0xEF;
            bytes[i + 1] = 0xBF;
            bytes[i + 2] = 0xBD;
        }
    }
    return out;
}
