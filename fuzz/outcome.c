/*
 * Fuzz target: an outcome made of any bytes, shown in every way.
 *
 * The JSON is JSON, the text for a person has nothing in it that a terminal obeys, the text for a
 * model keeps its budget, and all are UTF-8.
 */
#include <string.h>

#include "fuzz.h"
#include "memory.h"
#include "outcome.h"
#include "utf8.h"
#include "writer.h"

/* Bytes taken from the front of the input. */
typedef struct Input {
    const uint8_t *at;
    size_t left;
} Input;

static unsigned take_byte(Input *input)
{
    if (input->left == 0)
        return 0;
    input->left--;
    return *input->at++;
}

static const char *take_text(Input *input, size_t *out_length)
{
    size_t wanted = take_byte(input);
    const char *text = (const char *)input->at;

    *out_length = wanted < input->left ? wanted : input->left;
    input->at += *out_length;
    input->left -= *out_length;
    return text;
}

/* The rest of the input as CBOR, or as JSON, or as text. */
static void set_value(tn_outcome *outcome, const Input *rest)
{
    tn_writer *writer;

    if (rest->left > 0 && outcome_set_value(outcome, rest->at, rest->left) == TN_OK)
        return;
    FUZZ_CHECK(tn_writer_new(&writer) == TN_OK);
    if (tn_put_json(writer, (const char *)rest->at, rest->left) != TN_OK)
        tn_put_text(writer, (const char *)rest->at,
                    wtf8_valid(rest->at, rest->left) ? rest->left : 0);
    tn_value value = tn_writer_value(writer);
    FUZZ_CHECK(outcome_set_value(outcome, value.start, (size_t)(value.end - value.start)) == TN_OK);
    tn_writer_free(writer);
}

static void set_error(tn_outcome *outcome, Input *input, const Source *source)
{
    char name[257] = "", code[257] = "";
    OutcomeError error = {.name = name, .code = code, .source = source};
    size_t length;
    const char *text = take_text(input, &length);

    memcpy(name, text, length);
    text = take_text(input, &length);
    memcpy(code, text, length);
    error.message = take_text(input, &error.message_length);
    error.stack = take_text(input, &error.stack_length);
    error.position.line = take_byte(input);
    error.position.column = take_byte(input);
    error.span = (Span){error.position.line, error.position.line + error.position.column};
    error.retryable = take_byte(input) % 2;
    error.from_guest = tn_value_view(input->at, input->left);
    outcome_set_error(outcome, &error);
    outcome_add_finding(outcome, code, (tn_severity)(error.position.line % 3), source, error.span,
                        name);
    outcome_add_effect(outcome, &(JournalEntry){.name = name,
                                                .line = error.position.line,
                                                .state = (JournalState)(error.position.column % 4),
                                                .error = code});
}

static void check_text(const char *text, size_t length, bool for_terminal)
{
    FUZZ_CHECK(strlen(text) <= length && text[length] == '\0' && utf8_valid(text, length));
    for (size_t i = 0; for_terminal && i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        FUZZ_CHECK((c >= 0x20 && c != 0x7F) || c == '\n' || c == '\t');
        FUZZ_CHECK(c != 0xC2 || (unsigned char)text[i + 1] >= 0xA0);
    }
}

static void show(const tn_outcome *outcome, unsigned tokens)
{
    char *text = NULL;
    size_t length = 0;
    tn_writer *writer;

    FUZZ_CHECK(tn_outcome_json(outcome, &text, &length) == TN_OK);
    check_text(text, length, true);
    FUZZ_CHECK(tn_writer_new(&writer) == TN_OK);
    tn_status read = tn_put_json(writer, text, length);
    /* Forms that a host cannot read back (references) and deep values are still JSON. */
    FUZZ_CHECK(read == TN_OK || strstr(text, "$type") || strstr(text, "[[[["));
    tn_writer_free(writer);
    tn_text_free(text);

    FUZZ_CHECK(tn_outcome_text(outcome, TN_TEXT_PERSON, 0, &text, &length) == TN_OK);
    check_text(text, length, true);
    tn_text_free(text);
    FUZZ_CHECK(tn_outcome_text(outcome, TN_TEXT_COLOR, 0, &text, &length) == TN_OK);
    check_text(text, length, false);
    tn_text_free(text);
    FUZZ_CHECK(tn_outcome_text(outcome, TN_TEXT_MODEL, tokens, &text, &length) == TN_OK);
    check_text(text, length, true);
    FUZZ_CHECK(tokens < 60 || length <= 4 * (size_t)tokens);
    tn_text_free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    Input input = {data, size};
    tn_outcome *outcome;
    Source *source;
    Arena arena;
    Console console;
    unsigned flags = take_byte(&input), tokens = take_byte(&input);
    size_t length;

    FUZZ_CHECK(outcome_new(memory_default(), &outcome) == TN_OK);
    arena_init(&arena, memory_default(), SIZE_MAX);
    console_init(&console, memory_default(), take_byte(&input));
    const char *text = take_text(&input, &length);
    FUZZ_CHECK(source_load(&arena, "fuzz.js", text, length, &source) == TN_OK);
    (void)source_foreign(text, length);
    for (unsigned i = 0; i < (flags >> 4); i++) {
        text = take_text(&input, &length);
        console_add(&console, (tn_level)(length % 5), i, text, length);
    }
    outcome_set_status(outcome, (tn_outcome_status)(flags % 8));
    if (flags % 8 != TN_OUTCOME_OK)
        set_error(outcome, &input, source);
    set_value(outcome, &input);
    FUZZ_CHECK(outcome_take_console(outcome, &console) == TN_OK);
    FUZZ_CHECK(outcome_state(outcome) == TN_OK);
    show(outcome, tokens);
    console_release(&console);
    arena_release(&arena);
    tn_outcome_free(outcome);
    return 0;
}
