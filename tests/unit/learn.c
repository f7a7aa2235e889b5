/* Shapes of results, and the file they are kept in: what is said of them, that many are one in any
 * order, that they are bounded, and that no bytes of a file lead astray. */
#include "failing_allocator.h"

#include <stdio.h>
#include <unistd.h>

#include "keep.h"
#include "learn.h"
#include "memory.h"
#include "value.h"
#include "writer.h"

/* ---- making ---- */

static void observe(Learned *learned, const char *json)
{
    tn_writer *writer;

    assert_int_equal(tn_writer_new(&writer), TN_OK);
    assert_int_equal(tn_put_json(writer, json, strlen(json)), TN_OK);
    learned_observe(learned, tn_writer_value(writer));
    tn_writer_free(writer);
}

static Learned *learned_of(const char *const *results)
{
    Learned *learned;

    assert_int_equal(learned_new(memory_default(), &learned), TN_OK);
    for (; *results; results++)
        observe(learned, *results);
    return learned;
}

static void check_type(const Learned *learned, const char *wanted)
{
    Buf type;

    buf_init(&type, memory_default(), SIZE_MAX);
    learned_type(learned, 2000, &type);
    buf_append_byte(&type, 0);
    assert_string_equal((const char *)type.data, wanted);
    buf_release(&type);
}

/* ---- what is said ---- */

static const struct {
    const char *results[6];
    const char *type;
} said[] = {
    {{"1"}, "number"},
    {{"1", "\"x\"", "null"}, "string | number | null"},
    {{"null"}, "any"},
    {{"{}"}, "Record<string, any>"},
    {{"[]"}, "Array<any>"},
    {{"[1, 2]", "[\"x\"]"}, "Array<string | number>"},
    {{"{\"a\": 1}", "{\"a\": 2, \"b\": true}"}, "{ a: number; b?: boolean }"},
    {{"[{\"a\": 1}, {\"b\": null}, {\"a\": 2}]"}, "Array<{ a?: number; b?: any }>"},
    {{"{\"a\": {\"b\": [{\"c d\": 1}]}}"}, "{ a: { b: Array<{ \"c d\": number }> } }"},
    {{"{\"a\": 1, \"2026-01-01\": \"x\"}"}, "{ a: number } & Record<string, string>"},
    {{"{\"a@b.org\": 1, \"/etc\": 2, \"\xc3\xa9t\xc3\xa9\": 3}"}, "Record<string, number>"},
    {{"{\"x\\\"*/\": 1}"}, "Record<string, number>"},
    {{"{\"@type\": 1, \"b-c\": 2}"}, "{ \"@type\": number; \"b-c\": number }"},
    {{"{\"a\": 1}", "[1]", "\"t\""}, "{ a: number } | Array<number> | string"},
    {{"{\"$type\": \"date\", \"value\": null}"}, "any"},
    {{"{\"$type\": \"bytes\", \"base64\": \"\"}"}, "Uint8Array"},
    {{"[[[[[[[[[[[[[[1]]]]]]]]]]]]]]"},
     "Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<Array<any>>>>>>>>>>>>"},
};

static void types(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        Learned *learned = learned_of(said[i].results);
        check_type(learned, said[i].type);
        learned_free(learned);
    }
}

/* Each alone to a document, and the documents read, forwards and backwards. */
static void joined(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof said / sizeof *said; i++) {
        Learned *one;
        size_t count = 0;
        Buf documents[6];
        while (count < 6 && said[i].results[count])
            count++;
        for (size_t k = 0; k < count; k++) {
            Learned *alone = learned_of((const char *const[]){said[i].results[k], NULL});
            buf_init(&documents[k], memory_default(), SIZE_MAX);
            learned_write(alone, &documents[k]);
            learned_free(alone);
        }
        assert_int_equal(learned_new(memory_default(), &one), TN_OK);
        for (size_t k = 0; k < count; k++)
            assert_true(learned_read(one, tn_value_view(documents[k].data, documents[k].length)));
        assert_int_equal(learned_results(one), count);
        check_type(one, said[i].type);
        for (size_t k = 0; k < count; k++)
            buf_release(&documents[k]);
        learned_free(one);
    }
}

/* ---- bounds ---- */

static void wide(void **state)
{
    enum { MEMBERS = 30000 };
    char *json = malloc(MEMBERS * 24 + 3), *at = json;
    Buf document, type;

    (void)state;
    at += sprintf(at, "{");
    for (int i = 0; i < MEMBERS; i++)
        at += sprintf(at, "%s\"k%c%c%c%c\": {\"a\": %d}", i ? "," : "", 'a' + i % 26,
                      'a' + i / 26 % 26, 'a' + i / 676 % 26, 'a' + i / 17576 % 26, i);
    (void)sprintf(at, "}");
    Learned *learned = learned_of((const char *const[]){json, json, NULL});
    buf_init(&document, memory_default(), SIZE_MAX);
    buf_init(&type, memory_default(), SIZE_MAX);
    learned_write(learned, &document);
    assert_true(document.length < 1000);
    learned_type(learned, 100, &type);
    assert_true(type.length <= 100);
    buf_release(&document);
    buf_release(&type);
    learned_free(learned);
    free(json);
}

/* Sixty-four members in each of sixty-four, and so on: what has no room is any. */
static void full(void **state)
{
    char *json = calloc(1, 200000), *at = json;
    Buf document;

    (void)state;
    at += sprintf(at, "{");
    for (int i = 0; i < 60; i++) {
        at += sprintf(at, "%s\"a%c%c\":{", i ? "," : "", 'a' + i % 26, 'a' + i / 26);
        for (int k = 0; k < 60; k++)
            at += sprintf(at, "%s\"b%c%c\":{\"c\":[%d]}", k ? "," : "", 'a' + k % 26, 'a' + k / 26,
                          k);
        at += sprintf(at, "}");
    }
    (void)sprintf(at, "}");
    Learned *learned = learned_of((const char *const[]){json, json, json, NULL});
    buf_init(&document, memory_default(), SIZE_MAX);
    learned_write(learned, &document);
    assert_true(document.length < 256 * 1024);
    buf_release(&document);
    learned_free(learned);
    free(json);
}

static void refusals(void **state)
{
    const char *json = "{\"a\": [{\"b\": {\"c\": 1}, \"x/y\": 2}], \"d\": null}";

    (void)state;
    for (size_t n = 0; n < 12; n++) {
        Failing failing = {.refuse = n};
        Learned *learned;
        Buf out;
        tn_status status = learned_new(failing_allocator(&failing), &learned);
        if (status == TN_OK) {
            observe(learned, json);
            buf_init(&out, memory_default(), SIZE_MAX);
            learned_type(learned, 1000, &out);
            assert_true(out.length > 0);
            buf_release(&out);
            learned_free(learned);
        }
        assert_int_equal(failing.bytes, 0);
    }
}

/* Bytes of a file that somebody changed. */
static void hostile(void **state)
{
    static const char *const results[] = {"{\"a\": [{\"b\": 1}], \"x/y\": {\"c\": null}}", NULL};
    Learned *learned = learned_of(results);
    uint32_t seed = 7;
    Buf document;

    (void)state;
    buf_init(&document, memory_default(), SIZE_MAX);
    learned_write(learned, &document);
    learned_free(learned);
    for (int round = 0; round < 30000; round++) {
        uint8_t copy[512];
        Buf type;
        assert_true(document.length < sizeof copy);
        memcpy(copy, document.data, document.length);
        for (int i = 0; i < 1 + round % 4; i++) {
            seed = seed * 1103515245u + 12345u;
            copy[(seed >> 8) % document.length] = (uint8_t)(seed >> 20);
        }
        assert_int_equal(learned_new(memory_default(), &learned), TN_OK);
        (void)learned_read(learned, tn_value_view(copy, document.length - (size_t)(round % 3)));
        buf_init(&type, memory_default(), SIZE_MAX);
        learned_type(learned, 500, &type);
        buf_release(&type);
        learned_free(learned);
    }
    buf_release(&document);
}

/* ---- places ---- */

static void places(void **state)
{
    Learned *learned =
        learned_of((const char *const[]){"{\"rows\": [{\"id\": 1}], \"map\": {\"1\": 2}}", NULL});
    const LearnedPlace *rows, *row, *place;

    (void)state;
    const LearnedPlace *whole = learned_whole(learned);
    assert_int_equal(learned_member(whole, "rows", 4, &rows), LEARNED_SEEN);
    assert_int_equal(learned_member(whole, "row", 3, &place), LEARNED_UNSEEN);
    assert_int_equal(learned_member(rows, "length", 6, &place), LEARNED_UNKNOWN);
    row = learned_element(rows);
    assert_non_null(row);
    assert_int_equal(learned_member(row, "id", 2, &place), LEARNED_SEEN);
    assert_int_equal(learned_member(whole, "map", 3, &place), LEARNED_SEEN);
    assert_int_equal(learned_member(place, "2", 1, &place), LEARNED_UNKNOWN);
    assert_null(learned_element(whole));
    assert_int_equal(learned_member(NULL, "a", 1, &place), LEARNED_UNKNOWN);
    learned_free(learned);
}

/* ---- the file ---- */

static void put_list(Keep *keep, const KeepKey *key, const char *version)
{
    static const uint8_t list[] = {0x82, 0x01, 0x02};
    const KeptCatalogue kept = {version, 5, 10, tn_value_view(list, sizeof list)};

    keep_put_catalogue(keep, key, &kept);
}

static void add_one(void *context, tn_value kept, Buf *out)
{
    int64_t before = 0;

    (void)context;
    (void)tn_value_int(kept, &before);
    buf_append_byte(out, (uint8_t)(before + 1));
}

static void kept_file(void **state)
{
    char path[] = "/tmp/tenon-keep-XXXXXX", name[60];
    KeptCatalogue kept;
    Arena arena;
    Buf parts;

    (void)state;
    assert_non_null(mkdtemp(path));
    (void)snprintf(name, sizeof name, "%s/deep/packages.db", path);
    buf_init(&parts, memory_default(), SIZE_MAX);
    keep_key_part(&parts, "ab", 2);
    keep_key_part(&parts, "c", 1);
    KeepKey one = keep_key(&parts);
    buf_clear(&parts);
    keep_key_part(&parts, "a", 1);
    keep_key_part(&parts, "bc", 2);
    KeepKey other = keep_key(&parts);
    buf_release(&parts);
    assert_string_not_equal(one.hex, other.hex);
    arena_init(&arena, memory_default(), SIZE_MAX);
    Keep *a = keep_open(memory_default(), name), *b = keep_open(memory_default(), name);
    assert_non_null(a);
    assert_non_null(b);
    put_list(a, &one, "1");
    assert_true(keep_catalogue(b, &one, &arena, &kept));
    assert_string_equal(kept.version, "1");
    assert_int_equal(tn_value_count(kept.document), 2);
    assert_false(keep_catalogue(b, &other, &arena, &kept));
    for (int i = 0; i < 10; i++)
        keep_change_learned(i % 2 ? a : b, &one, "1", "t", add_one, NULL);
    int64_t count = 0;
    assert_true(tn_value_int(keep_learned(a, &one, "1", "t", &arena), &count));
    assert_int_equal(count, 10);
    assert_int_equal(tn_value_type(keep_learned(a, &one, "2", "t", &arena)), TN_TYPE_NONE);
    keep_change_learned(a, &one, "2", "t", add_one, NULL);
    assert_int_equal(tn_value_type(keep_learned(a, &one, "1", "t", &arena)), TN_TYPE_NONE);
    /* broken under its users: they go on, and so does the next */
    FILE *file = fopen(name, "r+");
    assert_non_null(file);
    for (int i = 0; i < 8192; i++)
        (void)fputc('x', file);
    (void)fclose(file);
    put_list(a, &one, "3");
    (void)keep_catalogue(b, &one, &arena, &kept);
    keep_close(a);
    keep_close(b);
    Keep *c = keep_open(memory_default(), name);
    assert_non_null(c);
    put_list(c, &one, "4");
    assert_true(keep_catalogue(c, &one, &arena, &kept));
    keep_close(c);
    arena_release(&arena);
    (void)unlink(name);
    *strrchr(name, '/') = '\0';
    (void)rmdir(name);
    assert_int_equal(rmdir(path), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(types),  cmocka_unit_test(joined),    cmocka_unit_test(wide),
        cmocka_unit_test(full),   cmocka_unit_test(refusals),  cmocka_unit_test(hostile),
        cmocka_unit_test(places), cmocka_unit_test(kept_file),
    };
    RUN_TESTS(tests);
}
