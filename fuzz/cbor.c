/*
 * Fuzz target: any bytes as a value, and as JSON text.
 *
 * What passes the check is walked, copied and written as JSON; what can be read as JSON gives the
 * same JSON from then on. What does not pass must be harmless all the same.
 */
#include <stdlib.h>
#include <string.h>

#include "fuzz.h"
#include "json.h"
#include "memory.h"
#include "text.h"
#include "writer.h"

static void walk(tn_value value, unsigned depth, bool whole)
{
    tn_cursor cursor = {0};
    int64_t integer;
    size_t length = 0, count = 0;
    const char *text = tn_value_text(value, &length);
    volatile unsigned sum = 0;

    for (size_t i = 0; text && i < length; i++)
        sum = sum + (unsigned char)text[i];
    (void)tn_value_number(value);
    (void)tn_value_int(value, &integer);
    (void)tn_value_bool(value);
    (void)tn_value_member(value, "message");
    while (depth > 0 && count < 100 && tn_value_next(value, &cursor)) {
        walk(cursor.key, depth - 1, whole);
        walk(cursor.value, depth - 1, whole);
        count++;
    }
    FUZZ_CHECK(!whole || count == 100 || depth == 0 || count == tn_value_count(value));
}

static char *json_of(tn_value value, size_t *out_length)
{
    char *text = NULL;
    Buf buf;

    text_begin(&buf, memory_default(), 1 << 20);
    if (value_json(memory_default(), value, &buf) != TN_OK) {
        buf_release(&buf);
        return NULL;
    }
    FUZZ_CHECK(text_finish(&buf, &text, out_length) == TN_OK);
    return text;
}

/* What was read from JSON is a value, and its JSON is read again as the same. */
static void read_and_written(tn_value value)
{
    size_t length = 0, again_length = 0;
    char *text = json_of(value, &length);
    tn_writer *writer;

    FUZZ_CHECK(tn_value_type(tn_value_view(value.start, (size_t)(value.end - value.start))) !=
               TN_TYPE_NONE);
    FUZZ_CHECK(text != NULL);
    FUZZ_CHECK(tn_writer_new(&writer) == TN_OK);
    FUZZ_CHECK(tn_put_json(writer, text, length) == TN_OK);
    char *again = json_of(tn_writer_value(writer), &again_length);
    FUZZ_CHECK(again && again_length == length && memcmp(again, text, length) == 0);
    tn_text_free(again);
    tn_text_free(text);
    tn_writer_free(writer);
}

static void read_json(const char *json, size_t length)
{
    tn_writer *writer;

    FUZZ_CHECK(tn_writer_new(&writer) == TN_OK);
    if (tn_put_json(writer, json, length) == TN_OK)
        read_and_written(tn_writer_value(writer));
    tn_writer_free(writer);
}

/* Not every value can be read back: references of hosts, and what nests too deep. */
static void through_json(tn_value value)
{
    size_t length = 0;
    char *text = json_of(value, &length);

    if (text)
        read_json(text, length);
    tn_text_free(text);
}

static void copied(tn_value value)
{
    tn_writer *writer;
    tn_cursor cursor = {0};

    FUZZ_CHECK(tn_writer_new(&writer) == TN_OK);
    tn_put_array_begin(writer);
    tn_put_value(writer, value);
    for (int i = 0; i < 4 && tn_value_next(value, &cursor); i++)
        tn_put_value(writer, cursor.value);
    tn_put_array_end(writer);
    tn_value copy = tn_writer_value(writer);
    if (copy.start)
        FUZZ_CHECK(tn_value_type(tn_value_view(copy.start, (size_t)(copy.end - copy.start))) ==
                   TN_TYPE_ARRAY);
    tn_writer_free(writer);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    tn_value value = tn_value_view(data, size);

    if (size == 0)
        return 0;
    if (tn_value_type(value) != TN_TYPE_NONE) {
        walk(value, 6, true);
        through_json(value);
        copied(value);
    } else {
        walk((tn_value){data, data, data + size}, 3, false);
    }
    read_json((const char *)data, size);
    return 0;
}
