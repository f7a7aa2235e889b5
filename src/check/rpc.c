#include "rpc.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>

#include "base.h"
#include "clock.h"
#include "utf8.h"

/* Room in front of a message for its header. */
enum { HEADER_BYTES = 40 };

void rpc_init(Rpc *rpc, const tn_allocator *allocator, size_t limit_bytes)
{
    *rpc = (Rpc){.socket = -1, .next_id = 1};
    buf_init(&rpc->in, allocator, limit_bytes);
    buf_init(&rpc->out, allocator, limit_bytes);
}

void rpc_release(Rpc *rpc)
{
    buf_release(&rpc->in);
    buf_release(&rpc->out);
}

bool rpc_rest(Rpc *rpc)
{
    if (rpc->waiting || rpc->out_at > 0)
        return false;
    buf_clear(&rpc->out);
    return true;
}

/* ---- writing ---- */

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* JSON is Unicode: what is not becomes the replacement character, byte by byte, so that a text
 * never makes the message itself wrong. */
void rpc_put_string(Buf *buf, const char *text, size_t length)
{
    size_t plain = 0, at = 0;
    uint32_t code;
    char escape[8];

    buf_append_byte(buf, '"');
    while (at < length) {
        unsigned char c = (unsigned char)text[at];
        size_t bytes = c < 0x80 ? 1 : utf8_decode(text + at, length - at, &code);
        if (bytes > 0 && is_plain(c)) {
            at += bytes;
            continue;
        }
        buf_append(buf, text + plain, at - plain);
        if (bytes == 0)
            buf_append_string(buf, "\\ufffd");
        else
            buf_append(buf, escape, (size_t)snprintf(escape, sizeof escape, "\\u%04x", c));
        plain = ++at;
    }
    buf_append(buf, text + plain, length - plain);
    buf_append_byte(buf, '"');
}

/* A message whose length is not known before it is written: its header has a fixed size, and the
 * number stands in it with spaces before. */
static size_t begin_message(Buf *out)
{
    char room[HEADER_BYTES];

    memset(room, ' ', sizeof room);
    buf_append(out, room, sizeof room);
    return out->length;
}

static void end_message(Buf *out, size_t mark)
{
    char header[HEADER_BYTES + 1];

    if (out->failed)
        return;
    snprintf(header, sizeof header, "Content-Length: %*zu\r\n\r\n", HEADER_BYTES - 20,
             out->length - mark);
    memcpy(out->data + mark - HEADER_BYTES, header, HEADER_BYTES);
}

Buf *rpc_begin(Rpc *rpc, const char *method, size_t *out_mark)
{
    Buf *out = &rpc->out;

    *out_mark = begin_message(out);
    buf_append_string(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    buf_append_uint(out, rpc->next_id);
    buf_append_string(out, ",\"method\":\"");
    buf_append_string(out, method);
    buf_append_string(out, "\",\"params\":");
    return out;
}

uint32_t rpc_end(Rpc *rpc, size_t mark)
{
    buf_append_byte(&rpc->out, '}');
    end_message(&rpc->out, mark);
    return rpc->next_id++;
}

/* ---- moving bytes ---- */

static tn_status send_some(Rpc *rpc)
{
    Buf *out = &rpc->out;

    while (rpc->out_at < out->length) {
        ssize_t sent = send(rpc->socket, out->data + rpc->out_at, out->length - rpc->out_at,
                            MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return errno == EAGAIN || errno == EWOULDBLOCK ? TN_OK : TN_ERR_STATE;
        rpc->out_at += (size_t)sent;
    }
    buf_clear(out);
    rpc->out_at = 0;
    return TN_OK;
}

static tn_status receive_some(Rpc *rpc)
{
    enum { STEP = 64 * 1024 };
    Buf *in = &rpc->in;

    if (!buf_reserve(in, STEP))
        return TN_ERR_NOMEM;
    ssize_t got = recv(rpc->socket, in->data + in->length, STEP, MSG_DONTWAIT);
    if (got > 0)
        in->length += (size_t)got;
    if (got == 0 || (got < 0 && errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR))
        return TN_ERR_STATE;
    return TN_OK;
}

/* Send what is to be sent and receive something. */
static tn_status move(Rpc *rpc)
{
    TRY(send_some(rpc));
    struct pollfd ready = {.fd = rpc->socket,
                           .events = (short)(POLLIN | (rpc->out.length > 0 ? POLLOUT : 0))};
    uint64_t now = clock_monotonic_ns();
    if (now >= rpc->deadline_ns && rpc->over(rpc->over_context, &rpc->deadline_ns))
        return TN_ERR_LIMIT;
    uint64_t left_ms = now < rpc->deadline_ns ? (rpc->deadline_ns - now) / 1000000u : 0;
    int count = poll(&ready, 1, (int)(left_ms < 1000 ? left_ms + 1 : 1000));
    if (count < 0 && errno != EINTR)
        return TN_ERR_SYSTEM;
    if (count > 0 && (ready.revents & ~POLLOUT))
        return receive_some(rpc);
    return TN_OK;
}

/* ---- messages ---- */

/* The number after "Content-Length:" among the header lines; false if there is none. */
static bool header_length(const char *header, size_t length, size_t *out_number)
{
    static const char name[] = "content-length:";
    size_t at = 0, matched = 0, number = 0;

    while (at < length && matched < sizeof name - 1) {
        char c = header[at++];
        c = c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
        matched = c == name[matched] ? matched + 1 : c == name[0];
    }
    while (at < length && header[at] == ' ')
        at++;
    if (matched < sizeof name - 1 || at == length || header[at] < '0' || header[at] > '9')
        return false;
    while (at < length && header[at] >= '0' && header[at] <= '9' && number < SIZE_MAX / 16)
        number = number * 10 + (size_t)(header[at++] - '0');
    *out_number = number;
    return true;
}

/* Receive until one whole message stands at `body`. */
static tn_status next_message(Rpc *rpc)
{
    Buf *in = &rpc->in;

    /* what was handed out before is no longer looked at */
    if (rpc->in_at > 0) {
        memmove(in->data, in->data + rpc->in_at, in->length - rpc->in_at);
        buf_truncate(in, in->length - rpc->in_at);
        rpc->in_at = 0;
    }
    for (;;) {
        const char *from = in->data ? (const char *)in->data + rpc->in_at : NULL;
        size_t have = in->length - rpc->in_at, length;
        const char *end = have > 0 ? memmem(from, have, "\r\n\r\n", 4) : NULL;
        if (end) {
            size_t header = (size_t)(end - from) + 4;
            if (!header_length(from, header, &length) || length > in->limit)
                return TN_ERR_STATE;
            if (have - header >= length) {
                rpc->body = rpc->in_at + header;
                rpc->body_length = length;
                rpc->in_at += header + length;
                return TN_OK;
            }
        } else if (have > 4096) {
            return TN_ERR_STATE;
        }
        TRY(move(rpc));
    }
}

/* The other side asks us. */
static void reply(Rpc *rpc, const Tape *tape, uint32_t method, uint32_t params, uint32_t id)
{
    Buf *out = &rpc->out;
    const JsonToken *number = tape_token(tape, id);
    size_t mark = begin_message(out);

    buf_append_string(out, "{\"jsonrpc\":\"2.0\",\"id\":");
    if (number->kind == JSON_STRING)
        rpc_put_string(out, tape_text(tape, number), number->length);
    else
        buf_append_uint(out, number->kind == JSON_NUMBER ? (uint64_t)number->number : 0);
    buf_append_string(out, ",\"result\":");
    rpc->asked(rpc->asked_context, tape, method, params, out);
    buf_append_byte(out, '}');
    end_message(out, mark);
}

tn_status rpc_answer(Rpc *rpc, uint32_t id, Tape *out_tape, uint32_t *out_result)
{
    *out_tape = (Tape){0};
    TRY(buf_status(&rpc->out));
    rpc->waiting = true;
    for (;;) {
        TRY(next_message(rpc));
        const char *body = (const char *)rpc->in.data + rpc->body;
        tape_release(out_tape);
        tn_status status = tape_read(out_tape, rpc->in.allocator, body, rpc->body_length);
        if (status != TN_OK)
            return status == TN_ERR_ARGUMENT ? TN_ERR_STATE : status;
        if (tape_token(out_tape, 0)->kind != JSON_OBJECT)
            return TN_ERR_STATE;
        uint32_t number = tape_member(out_tape, 0, "id");
        uint32_t method = tape_member(out_tape, 0, "method");
        if (method) {
            if (number)
                reply(rpc, out_tape, method, tape_member(out_tape, 0, "params"), number);
            TRY(buf_status(&rpc->out));
            continue;
        }
        if (!number || tape_token(out_tape, number)->kind != JSON_NUMBER ||
            tape_token(out_tape, number)->number != (double)id)
            continue;
        rpc->waiting = false;
        *out_result = tape_member(out_tape, 0, "result");
        return *out_result ? TN_OK : TN_ERR_ARGUMENT;
    }
}
