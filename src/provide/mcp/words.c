/* Messages about a server: what it said, without what it must not say. */
#include <stdarg.h>
#include <stdio.h>

#include "inside.h"
#include "utf8.h"

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
