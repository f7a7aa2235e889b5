/* Declarations alone: texts and values that nobody would write, many of them. Whatever they are,
 * reading and checking end, and what fits or not is what a parser of our own would say of the
 * simplest ones. */
#include "failing_allocator.h"

#include "declare.h"
#include "memory.h"
#include "value.h"
#include "writer.h"

static const char seed_text[] =
    "interface Node<T = string> extends Base { value: T; next?: Node<T[]> | null; readonly [k: "
    "string]: unknown }\n"
    "interface Base { id: Id; kind: 'a' | 'b' | 7 | true; at(n: number): void }\n"
    "type Id = string & { brand: 1 } | -1 | 2n | `x${number}`;\n"
    "declare enum Level { Low = 'low', High = 1 }\n"
    "declare namespace hub { export { f as g }; import N = Node; type Own = keyof Base | "
    "Base['kind'];\n"
    "  function f(a: Partial<Base>, [b]?: [Own, ...Level[]], ...c: Record<'x' | Own, Date>[]): "
    "void;\n"
    "  function f<T extends N<Id>>(a: T, b: { [K in keyof Base]-?: Omit<Node, K> }): T;\n"
    "  const h: { (x: Map<Id, Set<Uint8Array>>): void } & Call; interface Call { (y: never): any }"
    " }\n"
    "declare module 'deep.hub' { import { Other } from 'other'; export * from 'other'; export = "
    "all;\n"
    "  const all: { f: (x: Other) => void; g: typeof hub.f } }\n"
    "declare module 'other' { export type Other = Exclude<'a' | 'b', 'a'> | Other[] }\n"
    "interface Cursor { next(step?: Pick<Base, 'id'>): Promise<Cursor>; peek: () => Cursor }\n";

static const char *const values[] = {
    "{}",
    "[]",
    "null",
    "7",
    "\"a\"",
    "{\"id\":\"x\",\"kind\":\"a\",\"value\":\"v\",\"next\":{\"id\":-1,\"kind\":true}}",
    "[\"a\",\"low\",1,2]",
    "{\"x\":{\"$type\":\"date\",\"value\":null}}",
    "{\"$type\":\"map\",\"entries\":[[\"a\",{\"$type\":\"set\",\"values\":[7,\"v\"]}]]}",
    "{\"$type\":\"set\",\"values\":[{\"$type\":\"bytes\",\"base64\":\"AA==\"}]}",
};

static void nothing(void *context, tn_call *call)
{
    (void)context, (void)call;
}

static tn_status fill(Registry *registry)
{
    static const char *const names[] = {"hub.f",      "hub.g",      "hub.h",
                                        "deep.hub.f", "deep.hub.g", "bare.f"};
    const Provider provider = {.invoke = nothing};
    tn_status status = TN_OK;

    for (size_t i = 0; i < sizeof names / sizeof *names && status == TN_OK; i++)
        status = registry_add(registry, ENTRY_FUNCTION, names[i], 0, provider);
    if (status == TN_OK)
        status = registry_add(registry, ENTRY_INTERFACE, "Cursor", 0, provider);
    if (status == TN_OK)
        status = registry_add(registry, ENTRY_METHOD, "Cursor.next", 0, provider);
    return status == TN_OK ? registry_close(registry) : status;
}

/* Is each check asked for each value? */
static void ask_all(const Registry *registry, const tn_value *arguments, size_t given)
{
    for (size_t i = 0; i < registry->count; i++) {
        const ArgumentCheck *check = &registry->entries[i].check;
        size_t count = given;
        Misfit misfit = {0};
        Arena scratch;
        if (!check->fits)
            continue;
        arena_init(&scratch, memory_default(), (size_t)64 << 20);
        if (!check->fits(check->context, arguments, &count, &scratch, &misfit)) {
            assert_true(misfit.path || misfit.reason);
            assert_non_null(misfit.takes);
            if (misfit.path) {
                assert_non_null(misfit.expected);
                assert_non_null(misfit.got);
            }
        }
        assert_true(count <= given);
        arena_release(&scratch);
    }
}

static tn_writer *write_values(tn_value out_values[], size_t *out_count)
{
    tn_writer *all = NULL;
    tn_cursor cursor = {0};

    assert_int_equal(writer_new(memory_default(), SIZE_MAX, &all), TN_OK);
    tn_put_array_begin(all);
    for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
        tn_writer *one = NULL;
        assert_int_equal(writer_new(memory_default(), SIZE_MAX, &one), TN_OK);
        assert_int_equal(tn_put_json(one, values[i], strlen(values[i])), TN_OK);
        tn_put_value(all, tn_writer_value(one));
        tn_writer_free(one);
    }
    tn_put_array_end(all);
    *out_count = 0;
    while (tn_value_next(tn_writer_value(all), &cursor))
        out_values[(*out_count)++] = cursor.value;
    return all;
}

static uint64_t state = 88172645463325252u;

static size_t draw(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state % below);
}

/* Pieces moved, doubled, taken out; signs put in. */
static size_t mutate(char *text, size_t length, size_t most)
{
    static const char signs[] = "{}[]()<>|&?:;,.=*'\"`-+$ \nxT0";

    for (size_t n = 1 + draw(4); n > 0; n--) {
        size_t at = draw(length), size = draw(40) + 1, from = draw(length);
        if (size > length - from)
            size = length - from;
        if (size > length - at)
            size = length - at;
        switch (draw(4)) {
        case 0:
            text[at] = signs[draw(sizeof signs - 1)];
            break;
        case 1:
            memmove(text + at, text + from, size);
            break;
        case 2:
            memmove(text + at, text + at + size, length - at - size);
            length -= size < length - 1 ? size : 0;
            break;
        default:
            if (length + size > most)
                break;
            memmove(text + at + size, text + at, length - at);
            length += size;
            break;
        }
    }
    text[length] = 0;
    return length;
}

static void mutated_texts(void **unused)
{
    enum { ROUNDS = 3000, MOST = 4000 };
    tn_value given[16];
    size_t count;
    tn_writer *writer = write_values(given, &count);
    char *text = malloc(MOST + 100);
    size_t checked = 0;
    (void)unused;

    for (unsigned round = 0; round < ROUNDS; round++) {
        DeclareText one = {text, sizeof seed_text - 1};
        Registry registry;
        Buf missing;
        memcpy(text, seed_text, sizeof seed_text);
        if (round > 0)
            one.length = mutate(text, one.length, MOST);
        registry_init(&registry, memory_default());
        buf_init(&missing, memory_default(), SIZE_MAX);
        assert_int_equal(fill(&registry), TN_OK);
        assert_int_equal(declare_checks(&registry, &one, 1, &missing), TN_OK);
        for (size_t i = 0; i < registry.count; i++)
            checked += registry.entries[i].check.fits != NULL;
        for (size_t i = 0; i < count; i++)
            ask_all(&registry, given + i, count - i);
        if (round == 0) {
            assert_true(checked >= 4);
            buf_append_byte(&missing, 0);
            assert_non_null(strstr((const char *)missing.data, "declare module \"bare\""));
        }
        buf_release(&missing);
        registry_release(&registry);
    }
    assert_true(checked > ROUNDS);
    free(text);
    tn_writer_free(writer);
}

/* Bytes that are a value, whatever made them: shared parts, cycles, odd tags. */
static void mutated_values(void **unused)
{
    enum { ROUNDS = 200000 };
    static const uint8_t seeds[][64] = {
        {0xd8, 0x1c, 0xa3, 0x62, 'i', 'd', 0x61, 'x', 0x64, 'k',  'i', 'n',
         'd',  0x61, 'a',  0x64, 'n', 'e', 'x',  't', 0xd8, 0x1d, 0x00},
        {0x83, 0x61, 'a', 0xd8, 0x1c, 0x81, 0xf7, 0xd8, 0x1d, 0x00},
        {0xd9, 0x01, 0x03, 0xa1, 0x61, 'a', 0xd9, 0x01, 0x02, 0x81, 0x41, 0x00},
        {0xbf, 0x61, 'x', 0xc1, 0xfb, 0x7f, 0xf8, 0, 0, 0, 0, 0, 0, 0x61, 'b', 0x9f, 0xf6, 0xff,
         0xff},
    };
    static const size_t lengths[] = {23, 10, 12, 19};
    const DeclareText text = {seed_text, sizeof seed_text - 1};
    Registry registry;
    Buf missing;
    size_t asked = 0;
    (void)unused;

    registry_init(&registry, memory_default());
    buf_init(&missing, memory_default(), SIZE_MAX);
    assert_int_equal(fill(&registry), TN_OK);
    assert_int_equal(declare_checks(&registry, &text, 1, &missing), TN_OK);
    for (unsigned round = 0; round < ROUNDS; round++) {
        uint8_t bytes[64];
        size_t which = draw(4), length = lengths[which];
        tn_value given[2];
        memcpy(bytes, seeds[which], sizeof bytes);
        for (size_t n = draw(4); n > 0; n--)
            bytes[draw(length)] = (uint8_t)(draw(2) ? draw(256) : seeds[draw(4)][draw(20)]);
        if (!value_check(bytes, length, NULL))
            continue;
        given[0] = given[1] = (tn_value){bytes, bytes, bytes + length};
        ask_all(&registry, given, 1 + draw(2));
        asked++;
    }
    assert_true(asked > 1000);
    buf_release(&missing);
    registry_release(&registry);
}

static tn_status read_all(const tn_allocator *allocator)
{
    const DeclareText text = {seed_text, sizeof seed_text - 1};
    Registry registry;
    Buf missing;
    tn_status status;

    registry_init(&registry, allocator);
    buf_init(&missing, allocator, SIZE_MAX);
    status = fill(&registry);
    if (status == TN_OK)
        status = declare_checks(&registry, &text, 1, &missing);
    buf_release(&missing);
    registry_release(&registry);
    return status;
}

static void refused_memory(void **unused)
{
    FOR_EACH_REFUSAL(failing)
    {
        tn_status status = read_all(failing_allocator(&failing));
        failing_settle(&failing, status);
    }
    (void)unused;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mutated_texts),
        cmocka_unit_test(mutated_values),
        cmocka_unit_test(refused_memory),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
