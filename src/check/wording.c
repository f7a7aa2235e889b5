#include "wording.h"

#include <string.h>

#include "base.h"

enum {
    MESSAGE_MAX_BYTES = 2000,
    WORD_MAX_BYTES = 300, /* a type that is longer says no more */
    TEXT_MAX_BYTES = 60,  /* of the program's own text */
    REASONS_MAX = 12,     /* how deep reasons are followed */
};

typedef struct Writer {
    Buf *out;
    const Diagnostic *diagnostic;
    const char *text;
    size_t length;
} Writer;

/* ---- pieces ---- */

/* Cut on a character's boundary. */
static void put_cut(Buf *out, const char *text, size_t length, size_t most)
{
    if (length > most) {
        length = most;
        while (length > 0 && ((unsigned char)text[length] & 0xC0) == 0x80)
            length--;
        buf_append(out, text, length);
        buf_append_string(out, "...");
        return;
    }
    buf_append(out, text, length);
}

static void put_word(const Writer *writer, size_t index)
{
    const Diagnostic *diagnostic = writer->diagnostic;

    if (index < diagnostic->word_count)
        put_cut(writer->out, diagnostic->words[index], strlen(diagnostic->words[index]),
                WORD_MAX_BYTES);
    else
        buf_append_string(writer->out, "?");
}

/* "2 arguments", "1-3 arguments" */
static void put_counted(const Writer *writer, size_t index, const char *noun, size_t length)
{
    const Diagnostic *diagnostic = writer->diagnostic;
    bool one = index < diagnostic->word_count && strcmp(diagnostic->words[index], "1") == 0;

    put_word(writer, index);
    buf_append_byte(writer->out, ' ');
    buf_append(writer->out, noun, length);
    if (!one)
        buf_append_byte(writer->out, 's');
}

static bool is_number(const char *word)
{
    return word[0] >= '0' && word[0] <= '9';
}

/* `a`, `b` and `c`: from the third word on, the numbers apart. `last`: before the last one. */
static void put_list(const Writer *writer, const char *last)
{
    const Diagnostic *diagnostic = writer->diagnostic;
    size_t end = diagnostic->word_count;

    while (end > 2 && is_number(diagnostic->words[end - 1]))
        end--;
    for (size_t i = 2; i < end; i++) {
        if (i > 2)
            buf_append_string(writer->out, i + 1 == end ? last : ", ");
        buf_append_byte(writer->out, '`');
        put_word(writer, i);
        buf_append_byte(writer->out, '`');
    }
    if (end <= 2)
        buf_append_string(writer->out, "properties");
}

/* The first line of what the finding is about. */
static void put_own_text(const Writer *writer)
{
    Span span = writer->diagnostic->span;

    if (span.end > writer->length || span.start >= span.end)
        return;
    const char *text = writer->text + span.start;
    const char *newline = memchr(text, '\n', span.end - span.start);
    size_t length = newline ? (size_t)(newline - text) : span.end - span.start;
    put_cut(writer->out, text, length, TEXT_MAX_BYTES);
}

/* placeholder = "{" ( "*" | "+" | "@" | digit ("#" noun)? ) "}" */
static const char *put_placeholder(const Writer *writer, const char *at)
{
    const char *end = strchr(at, '}');

    if (at[1] == '*' || at[1] == '+')
        put_list(writer, at[1] == '*' ? " and " : ", ");
    else if (at[1] == '@')
        put_own_text(writer);
    else if (at[2] == '#')
        put_counted(writer, (size_t)(at[1] - '0'), at + 3, (size_t)(end - at - 3));
    else
        put_word(writer, (size_t)(at[1] - '0'));
    return end + 1;
}

/* A sentence without its full stop. */
static void put_sentence(const Writer *writer, const char *sentence)
{
    while (*sentence && !(sentence[0] == '.' && sentence[1] == '\0')) {
        if (sentence[0] == '{' && sentence[1] != '{') {
            sentence = put_placeholder(writer, sentence);
            continue;
        }
        sentence += sentence[0] == '{';
        buf_append_byte(writer->out, (uint8_t)*sentence++);
    }
}

/* ---- reasons ---- */

/* The innermost reason that has words: it says what to mend. */
static const Diagnostic *innermost(const Diagnostic *diagnostic)
{
    const Diagnostic *found = NULL;

    for (unsigned depth = 0; diagnostic->reasons && depth < REASONS_MAX; depth++) {
        diagnostic = diagnostic->reasons;
        if (wording_of(diagnostic->code))
            found = diagnostic;
    }
    return found;
}

static const Diagnostic *related(const Diagnostic *diagnostic, unsigned code)
{
    const Diagnostic *at = diagnostic->related;

    while (at && at->code != code)
        at = at->next;
    return at;
}

/* Does a reason repeat what was said? */
static bool says_the_same(const Diagnostic *a, const Diagnostic *b)
{
    if (a->code != b->code || a->word_count != b->word_count)
        return false;
    for (size_t i = 0; i < a->word_count; i++) {
        if (strcmp(a->words[i], b->words[i]) != 0)
            return false;
    }
    return true;
}

static void put_reason(const Writer *writer)
{
    const Diagnostic *reason = innermost(writer->diagnostic);
    const Diagnostic *property = related(writer->diagnostic, 6500);
    Writer inner = *writer;

    if (reason && !says_the_same(reason, writer->diagnostic)) {
        size_t before;
        inner.diagnostic = reason;
        buf_append_string(writer->out, ": ");
        before = writer->out->length;
        put_sentence(&inner, wording_of(reason->code)->text);
        if (before < writer->out->length && writer->out->data[before] >= 'A' &&
            writer->out->data[before] <= 'Z')
            writer->out->data[before] |= 0x20;
    }
    if (property && property->word_count >= 2) {
        inner.diagnostic = property;
        put_sentence(&inner, ", for `{0}` of `{1}`");
    }
    if (related(writer->diagnostic, 2773) && writer->diagnostic->code != 2801)
        buf_append_string(writer->out, ": `await` is missing");
}

/* ---- the finding ---- */

/* Codes without a sentence of their own: the facts all the same. */
static void put_generic(const Writer *writer)
{
    const Diagnostic *diagnostic = writer->diagnostic;

    buf_append_string(writer->out, "The types do not allow this");
    for (size_t i = 0; i < diagnostic->word_count && i < 4; i++) {
        buf_append_string(writer->out, i == 0 ? " (`" : ", `");
        put_word(writer, i);
        buf_append_byte(writer->out, '`');
    }
    if (diagnostic->word_count > 0)
        buf_append_byte(writer->out, ')');
}

static const char *suggestion_of(const Diagnostic *diagnostic, const Wording *wording)
{
    if (!wording || wording->suggestion < 0 ||
        (size_t)wording->suggestion >= diagnostic->word_count)
        return NULL;
    return diagnostic->words[wording->suggestion];
}

static const char *message_of(Arena *arena, const Writer *writer, const Wording *wording,
                              const char *suggestion)
{
    Buf *out = writer->out;
    const char *message;

    if (wording)
        put_sentence(writer, wording->text);
    else
        put_generic(writer);
    put_reason(writer);
    if (suggestion) {
        buf_append_string(out, ": did you mean `");
        buf_append_string(out, suggestion);
        buf_append_string(out, "`?");
    } else if (out->length > 0 && out->data && out->data[out->length - 1] != '?') {
        buf_append_byte(out, '.');
    }
    message =
        buf_status(out) == TN_OK ? arena_text(arena, (const char *)out->data, out->length) : NULL;
    return message;
}

/* Replacing is sure where exactly the wrong name stands. */
static void set_edit(CheckFinding *finding, const Diagnostic *diagnostic, const Wording *wording,
                     const Writer *writer)
{
    Span span = diagnostic->span;

    if (!finding->did_you_mean || wording->wrong < 0 || span.end > writer->length ||
        (size_t)wording->wrong >= diagnostic->word_count)
        return;
    const char *wrong = diagnostic->words[wording->wrong];
    if (strlen(wrong) != span.end - span.start ||
        memcmp(wrong, writer->text + span.start, strlen(wrong)) != 0)
        return;
    finding->edit = span;
    finding->edit_text = finding->did_you_mean;
}

CheckFinding *wording_finding(Arena *arena, const Diagnostic *diagnostic, const char *text,
                              size_t length)
{
    const Wording *wording = wording_of(diagnostic->code);
    CheckFinding *finding = ARENA_NEW(arena, CheckFinding);
    Writer writer = {.diagnostic = diagnostic, .text = text, .length = length};
    Buf out;

    if (!finding)
        return NULL;
    buf_init(&out, arena->allocator, MESSAGE_MAX_BYTES);
    writer.out = &out;
    finding->code = arena_printf(arena, "TS%u", diagnostic->code);
    finding->severity = TN_SEVERITY_ERROR;
    finding->span = diagnostic->span;
    finding->did_you_mean = suggestion_of(diagnostic, wording);
    finding->message = message_of(arena, &writer, wording, finding->did_you_mean);
    set_edit(finding, diagnostic, wording, &writer);
    bool failed = out.failed && !out.over_limit;
    buf_release(&out);
    if (!finding->message && !failed)
        finding->message = "The types do not allow this.";
    return finding->message && finding->code ? finding : NULL;
}
