/* Secrets taken out of what came back: as they are, as a query has them, as base64 of a user and a
 * password, as JSON writes them. */
#include "http_inside.h"

enum { SHORTEST = 4 }; /* shorter ones would only make riddles of texts */

static const char stars[] = "[secret]";

void secrets_base64(Buf *out, const char *text, size_t length)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

    for (size_t i = 0; i < length; i += 3) {
        size_t left = length - i;
        uint32_t bits = (uint32_t)(uint8_t)text[i] << 16 |
                        (left > 1 ? (uint32_t)(uint8_t)text[i + 1] << 8 : 0) |
                        (left > 2 ? (uint8_t)text[i + 2] : 0);
        buf_append_byte(out, (uint8_t)digits[bits >> 18]);
        buf_append_byte(out, (uint8_t)digits[bits >> 12 & 63]);
        buf_append_byte(out, left > 1 ? (uint8_t)digits[bits >> 6 & 63] : '=');
        buf_append_byte(out, left > 2 ? (uint8_t)digits[bits & 63] : '=');
    }
}

static void put_escaped(Buf *out, const char *text)
{
    for (; *text; text++) {
        if (*text == '"' || *text == '\\' || *text == '/')
            buf_append_byte(out, '\\');
        buf_append_byte(out, (uint8_t)*text);
    }
}

/* In place of `out`, with every occurrence of the needle gone. */
static void replace(Buf *out, const void *needle, size_t length)
{
    const uint8_t *at, *found;
    size_t left;
    Buf clean;

    if (length < SHORTEST || out->failed || out->length < length ||
        !memmem(out->data, out->length, needle, length))
        return;
    buf_init(&clean, out->allocator, SIZE_MAX);
    at = out->data;
    left = out->length;
    while ((found = memmem(at, left, needle, length))) {
        buf_append(&clean, at, (size_t)(found - at));
        buf_append_string(&clean, stars);
        left -= (size_t)(found - at) + length;
        at = found + length;
    }
    buf_append(&clean, at, left);
    buf_release(out);
    *out = clean;
}

static void replace_forms(Buf *out, const tn_allocator *allocator, const HttpCredential *credential)
{
    Buf form;

    buf_init(&form, allocator, SIZE_MAX);
    if (credential->kind == HTTP_CREDENTIAL_BASIC) {
        const char *colon = credential->name ? NULL : strchr(credential->value, ':');
        if (credential->name) {
            buf_append_string(&form, credential->name);
            buf_append_byte(&form, ':');
        }
        buf_append_string(&form, credential->value);
        Buf encoded;
        buf_init(&encoded, allocator, SIZE_MAX);
        secrets_base64(&encoded, (const char *)form.data, form.length);
        replace(out, encoded.data, encoded.length);
        buf_release(&encoded);
        if (colon)
            replace(out, colon + 1, strlen(colon + 1));
    }
    replace(out, credential->value, strlen(credential->value));
    buf_clear(&form);
    place_encode(&form, credential->value);
    replace(out, form.data, form.length);
    buf_clear(&form);
    put_escaped(&form, credential->value);
    replace(out, form.data, form.length);
    buf_release(&form);
}

void secrets_scrub(const HttpRequest *request, Buf *out, const void *text, size_t length)
{
    Buf whole;

    buf_init(&whole, out->allocator, SIZE_MAX);
    buf_append(&whole, text, length);
    for (size_t i = 0; i < request->grant_count; i++) {
        const HttpGrant *grant = &request->grants[i];
        for (size_t j = 0; j < grant->credential_count; j++) {
            if (grant->credentials[j].value && grant->credentials[j].value[0])
                replace_forms(&whole, out->allocator, &grant->credentials[j]);
        }
    }
    if (whole.failed)
        out->failed = true;
    buf_append(out, whole.data, whole.length);
    buf_release(&whole);
}
