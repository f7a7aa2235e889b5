/* Messages about a server: what it said, without what it must not say. */
#include <stdarg.h>
#include <stdio.h>

#include "base.h"
#include "cbor.h"
#include "inside.h"
#include "utf8.h"
#include "writer.h"

/* ---- secrets: values of headers, and of variables that the host gave it alone ---- */

typedef struct Span {
    const char *at;
    size_t length;
} Span;

/* The part of a setting that may be secret: after "Name: " or "NAME=", and of a header with a
 * scheme ("Bearer x") what follows that. Short ones and paths would only make riddles of texts. */
static Span secret_of(const char *setting, char separator)
{
    const char *value = strchr(setting, separator);
    size_t least = separator == ':' ? 4 : 8;

    if (!value)
        return (Span){0};
    value += 1 + strspn(value + 1, " ");
    if (separator == ':' && strchr(value, ' '))
        value = strchr(value, ' ') + 1;
    size_t length = strlen(value);
    if (length < least || (separator == '=' && (*value == '/' || *value == '.')))
        return (Span){0};
    return (Span){value, length};
}

/* The longest secret that begins here. */
static size_t secret_at(const char *const *settings, char separator, const char *text,
                        size_t length)
{
    size_t longest = 0;

    for (; settings && *settings; settings++) {
        Span secret = secret_of(*settings, separator);
        if (secret.length > longest && secret.length <= length &&
            memcmp(text, secret.at, secret.length) == 0)
            longest = secret.length;
    }
    return longest;
}

void server_scrub(const McpServer *server, Buf *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length;) {
        size_t header = secret_at(server->headers, ':', text + i, length - i);
        size_t variable = secret_at(server->environment, '=', text + i, length - i);
        size_t secret = header > variable ? header : variable;
        if (secret > 0)
            buf_append_string(out, "[secret]");
        else
            buf_append_byte(out, (uint8_t)text[i]);
        i += secret > 0 ? secret : 1;
    }
}

/* ---- secrets in results ---- */

/* A result is data: only what is surely a credential is taken out of it, by the name that its
 * setting has. */
static bool is_credential(const char *setting, char separator)
{
    static const char *const words[] = {"key",   "token",  "secret",        "passw",
                                        "creds", "cookie", "authorization", "credential"};
    char name[64];
    size_t length = strcspn(setting, (const char[]){separator, 0});

    if (length >= sizeof name)
        length = sizeof name - 1;
    memcpy(name, setting, length);
    name[length] = 0;
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        if (strcasestr(name, words[i]))
            return true;
    }
    return false;
}

/* The next credential in a text; its length is 0 if there is none. */
static Span next_credential(const McpServer *server, const char *text, size_t length)
{
    const struct {
        const char *const *settings;
        char separator;
    } lists[] = {{server->headers, ':'}, {server->environment, '='}};
    Span first = {text + length, 0};

    for (size_t i = 0; i < COUNT_OF(lists); i++) {
        for (const char *const *one = lists[i].settings; one && *one; one++) {
            Span secret = secret_of(*one, lists[i].separator);
            const char *found = secret.length > 0 && is_credential(*one, lists[i].separator)
                                    ? memmem(text, length, secret.at, secret.length)
                                    : NULL;
            if (found && (found < first.at || (found == first.at && secret.length > first.length)))
                first = (Span){found, secret.length};
        }
    }
    return first;
}

static void scrub_text(const McpServer *server, Buf *out, const char *text, size_t length)
{
    const char *end = text + length;
    Span secret;

    while ((secret = next_credential(server, text, (size_t)(end - text))).length > 0) {
        buf_append(out, text, (size_t)(secret.at - text));
        buf_append_string(out, "[secret]");
        text = secret.at + secret.length;
    }
    buf_append(out, text, (size_t)(end - text));
}

/* Item by item: what holds others counts them, and they stay as many. */
static void scrub_items(const McpServer *server, CborReader reader, Buf *out, Buf *text)
{
    const uint8_t *bytes, *start;
    size_t length;
    CborHead head;

    while ((start = reader.at) < reader.end) {
        if (cbor_break(&reader)) {
            cbor_put_break(out);
        } else if (!cbor_head(&reader, &head)) {
            out->failed = true;
            return;
        } else if (head.major != CBOR_TEXT && head.major != CBOR_BYTES) {
            buf_append(out, start, (size_t)(reader.at - start));
        } else if (!cbor_string(&reader, &head, &bytes, &length) || head.major == CBOR_BYTES) {
            buf_append(out, start, (size_t)(reader.at - start));
        } else {
            buf_clear(text);
            scrub_text(server, text, (const char *)bytes, length);
            cbor_put_text(out, (const char *)text->data, text->length);
        }
    }
}

void server_scrub_result(const McpServer *server, tn_writer *result)
{
    const tn_allocator *allocator = &server->client->allocator;
    Buf *buf = &result->buf, clean, text;

    if (buf->length == 0 ||
        next_credential(server, (const char *)buf->data, buf->length).length == 0)
        return;
    buf_init(&clean, allocator, SIZE_MAX);
    buf_init(&text, allocator, SIZE_MAX);
    scrub_items(server, (CborReader){buf->data, buf->data + buf->length}, &clean, &text);
    buf_clear(buf);
    buf_append(buf, clean.data, clean.length);
    buf->failed |= clean.failed || text.failed;
    buf_release(&clean);
    buf_release(&text);
}

/* ---- one line ---- */

/* An escape sequence of a terminal, "\e[1m": its bytes; 0 if there is none. */
static size_t sequence(const char *text, size_t length)
{
    size_t i = 2;

    if (length < 2 || text[0] != 0x1b || text[1] != '[')
        return 0;
    while (i < length && (unsigned char)text[i] < 0x40)
        i++;
    return i < length ? i + 1 : length;
}

static void flatten(Buf *out, const char *text, size_t length)
{
    uint32_t code;

    for (size_t i = 0; i < length;) {
        size_t bytes = utf8_decode(text + i, length - i, &code);
        size_t escape = sequence(text + i, length - i);
        if (escape > 0) {
            i += escape;
            continue;
        }
        if (bytes == 0)
            buf_append_byte(out, '?');
        else if (code >= 0x20 && code != 0x7f && (code < 0x80 || code > 0x9f))
            buf_append(out, text + i, bytes);
        else if (out->length > 0 && out->data[out->length - 1] != ' ')
            buf_append_byte(out, ' ');
        i += bytes ? bytes : 1;
    }
    while (out->length > 0 && out->data[out->length - 1] == ' ')
        out->length--;
}

const char *server_clean(const McpServer *server, Buf *out, const char *text, size_t length,
                         size_t most)
{
    const tn_allocator *allocator = &server->client->allocator;
    Buf whole;

    buf_init(&whole, allocator, 64 * 1024);
    buf_init(out, allocator, SIZE_MAX);
    server_scrub(server, &whole, text, length < 32 * 1024 ? length : 32 * 1024);
    flatten(out, (const char *)whole.data, whole.length);
    buf_release(&whole);
    if (out->length > most) {
        buf_truncate(out, utf8_floor(out->data, out->length, most));
        buf_append_string(out, "...");
    }
    buf_append_byte(out, 0);
    return out->failed ? "" : (const char *)out->data;
}

/* ---- what it did ---- */

void server_odd(McpServer *server, const char *format, ...)
{
    va_list arguments;
    char text[512];
    Buf clean;

    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    snprintf(server->oddity, sizeof server->oddity, "%s",
             server_clean(server, &clean, text, strlen(text), sizeof server->oddity - 8));
    buf_release(&clean);
    server->oddities++;
}

void server_behaviour(const McpServer *server, Buf *out)
{
    enum { MOST = 500 };
    const char *words = server->link ? link_last_words(server->link) : "";
    size_t length = strlen(words);
    Buf clean;

    if (length > MOST) {
        words += length - MOST;
        words += strchr(words, '\n') && strchr(words, '\n')[1] ? strcspn(words, "\n") + 1 : 0;
    }
    if (*words) {
        buf_append_string(out, "; its last words: ");
        buf_append_string(out, server_clean(server, &clean, words, strlen(words), MOST));
        buf_release(&clean);
    }
    if (server->oddity[0]) {
        buf_append_string(out, "; it ");
        buf_append_string(out, server->oddity);
    }
}
