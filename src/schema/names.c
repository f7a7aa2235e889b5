/* Identifiers for names of every kind: one for each, whatever order they come in. */
#include <string.h>

#include "base.h"
#include "schema.h"
#include "utf8.h"

enum { NAME_MOST = 64, SUFFIX_LEAST = 4, SUFFIX_MOST = 16 };

typedef struct Taken {
    const char *text;
    uint32_t next; /* the number to try first for one more of this name */
} Taken;

struct SchemaNames {
    Arena *arena;
    Taken *slots;
    size_t capacity; /* a power of two; at least twice the count */
    size_t count;
};

static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t hash = 0xCBF29CE484222325u;

    for (size_t i = 0; i < length; i++)
        hash = (hash ^ (uint8_t)text[i]) * 0x100000001B3u;
    hash = (hash ^ hash >> 32) * 0x9E3779B97F4A7C15u;
    return hash ^ hash >> 29;
}

/* The slot of a name, or the free one where it belongs. */
static Taken *slot_of(const SchemaNames *names, const char *text)
{
    size_t at = hash_of(text, strlen(text)) & (names->capacity - 1);

    while (names->slots[at].text && strcmp(names->slots[at].text, text) != 0)
        at = (at + 1) & (names->capacity - 1);
    return &names->slots[at];
}

static bool grow(SchemaNames *names)
{
    SchemaNames larger = {.arena = names->arena, .capacity = names->capacity * 2};

    larger.slots = ARENA_ARRAY(names->arena, Taken, larger.capacity);
    if (!larger.slots)
        return false;
    for (size_t i = 0; i < names->capacity; i++) {
        if (names->slots[i].text)
            *slot_of(&larger, names->slots[i].text) = names->slots[i];
    }
    names->slots = larger.slots;
    names->capacity = larger.capacity;
    return true;
}

/* Take a name: false if it is taken already, or if the arena fails. */
static bool take(SchemaNames *names, const char *text)
{
    Taken *slot = text ? slot_of(names, text) : NULL;

    if (!slot || slot->text)
        return false;
    *slot = (Taken){text, 2};
    names->count++;
    return names->count * 2 <= names->capacity || grow(names);
}

static SchemaNames *empty_table(Arena *arena)
{
    SchemaNames *names = ARENA_NEW(arena, SchemaNames);

    if (!names)
        return NULL;
    *names = (SchemaNames){.arena = arena, .capacity = 256};
    names->slots = ARENA_ARRAY(arena, Taken, names->capacity);
    return names->slots ? names : NULL;
}

/* Words separated by blanks: is this one of them? */
static bool is_among(const char *words, const char *text, size_t length)
{
    for (const char *at = words; (at = memmem(at, strlen(at), text, length)); at++) {
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || at[length] == '\0'))
            return length > 0;
    }
    return false;
}

/* Names that a function or constant cannot have, or should not: those that make a promise of what
 * they are in, or mean its prototype. */
static const char reserved[] =
    "__defineGetter__ __defineSetter__ __lookupGetter__ __lookupSetter__ __proto__ arguments await "
    "break case catch class const constructor continue debugger default delete do "
    "else enum eval export extends false finally for function globalThis hasOwnProperty if "
    "implements import in Infinity instanceof interface isPrototypeOf let NaN new null package "
    "private propertyIsEnumerable protected prototype public return static super switch then this "
    "throw toLocaleString toString true try typeof undefined valueOf var void while with yield";

/* Types that declarations use, or that a reader takes for the language's. */
static const char type_names[] = "Array ArrayBuffer AsyncIterable AsyncIterator BigInt Boolean "
                                 "DataView Date Error Exclude Extract "
                                 "Function Infinity Intl Iterable Iterator JSON Map Math NaN "
                                 "NonNullable Number Object Omit Parameters "
                                 "Partial Pick Promise Proxy Readonly ReadonlyArray Record Reflect "
                                 "RegExp Required ReturnType Set String "
                                 "Symbol Uint8Array URL WeakMap WeakSet";

SchemaNames *schema_names_new(Arena *arena)
{
    SchemaNames *names = empty_table(arena);

    for (const char *at = type_names; names && *at;) {
        size_t length = strcspn(at, " ");
        (void)take(names, arena_text(arena, at, length));
        at += length + (at[length] == ' ');
    }
    return names;
}

/* Letters that may begin an identifier and that no normal form changes: enough of the scripts that
 * names are written in. */
static bool is_letter(uint32_t code)
{
    static const uint16_t ranges[][2] = {
        {0xC0, 0xD6},     {0xD8, 0xF6},     {0xF8, 0x24F},    {0x391, 0x3A1},   {0x3A3, 0x3CE},
        {0x400, 0x481},   {0x48A, 0x52F},   {0x5D0, 0x5EA},   {0x620, 0x64A},   {0x904, 0x939},
        {0xE01, 0xE30},   {0x1E00, 0x1E99}, {0x1EA0, 0x1EF9}, {0x3041, 0x3096}, {0x30A1, 0x30FA},
        {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xAC00, 0xD7A3}};

    if (code < 0x80)
        return (code | 32) - 'a' < 26 || code == '_' || code == '$';
    for (size_t i = 0; i < COUNT_OF(ranges); i++) {
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    }
    return false;
}

static uint32_t next_code(SchemaText name, size_t *at)
{
    uint32_t code;
    size_t count = wtf8_decode(name.text + *at, name.length - *at, &code);

    *at += count > 0 ? count : 1;
    return count > 0 ? code : 0xFFFD;
}

static void put_code(Buf *buf, uint32_t code)
{
    uint8_t bytes[4];
    buf_append(buf, bytes, utf8_encode(code, bytes));
}

/* What an identifier keeps of a name: letters and digits; anything else becomes "_". */
static const char *plain(Arena *arena, SchemaText name)
{
    Buf buf;

    buf_init(&buf, arena->allocator, SIZE_MAX);
    for (size_t at = 0; at < name.length && buf.length < NAME_MOST;) {
        uint32_t code = next_code(name, &at);
        bool digit = code - '0' < 10;
        if (digit && buf.length == 0)
            buf_append_byte(&buf, '_');
        put_code(&buf, digit || is_letter(code) ? code : '_');
    }
    if (buf.length == 0 || is_among(reserved, (const char *)buf.data, buf.length))
        buf_append_byte(&buf, '_');
    const char *text = arena_text(arena, (const char *)buf.data, buf.length);
    buf_release(&buf);
    return text;
}

typedef struct Wire {
    SchemaText name;
    const char *plain;
    const char *identifier; /* NULL: not chosen yet */
    bool exact;             /* the name is an identifier already */
} Wire;

static int by_plain(const Wire *a, const Wire *b)
{
    int order = strcmp(a->plain, b->plain);
    size_t shorter = a->name.length < b->name.length ? a->name.length : b->name.length;

    if (order == 0)
        order = (int)b->exact - (int)a->exact;
    if (order == 0 && shorter > 0)
        order = memcmp(a->name.text, b->name.text, shorter);
    return order ? order : (a->name.length > b->name.length) - (a->name.length < b->name.length);
}

/* Heap sort: in place, no bad case. */
static void sort_wires(Wire **items, size_t count)
{
    for (size_t end = count, start = count / 2; end > 1;) {
        if (start > 0) {
            start--;
        } else {
            Wire *last = items[--end];
            items[end] = items[0];
            items[0] = last;
        }
        for (size_t root = start, child; (child = 2 * root + 1) < end; root = child) {
            if (child + 1 < end && by_plain(items[child], items[child + 1]) < 0)
                child++;
            if (by_plain(items[root], items[child]) >= 0)
                break;
            Wire *moved = items[root];
            items[root] = items[child];
            items[child] = moved;
        }
    }
}

static bool same_name(const Wire *a, const Wire *b)
{
    return a->name.length == b->name.length &&
           (a->name.length == 0 || memcmp(a->name.text, b->name.text, a->name.length) == 0);
}

/* The plain form and some of the wire name's hash: as much as makes it one of its own. */
static const char *suffixed(Arena *arena, SchemaNames *taken, const Wire *wire)
{
    static const char digits[] = "0123456789abcdef";
    uint64_t hash = hash_of(wire->name.text, wire->name.length);
    char suffix[SUFFIX_MOST + 1];

    for (int i = 0; i < SUFFIX_MOST; i++)
        suffix[i] = digits[hash >> (60 - 4 * i) & 15];
    for (int count = SUFFIX_LEAST; count <= SUFFIX_MOST && arena_status(arena) == TN_OK; count++) {
        const char *text = arena_printf(arena, "%s_%.*s", wire->plain, count, suffix);
        if (take(taken, text))
            return text;
    }
    for (unsigned i = 2; arena_status(arena) == TN_OK; i++) {
        const char *text = arena_printf(arena, "%s_%.16s_%u", wire->plain, suffix, i);
        if (take(taken, text))
            return text;
    }
    return NULL;
}

/* Those that keep a plain name: the exact ones, and those that nobody contests. */
static void choose_plain(SchemaNames *taken, Wire **order, size_t count)
{
    for (size_t i = 0, end; i < count; i = end) {
        const char *shared = order[i]->plain;
        bool several = false;
        for (end = i + 1; end < count && strcmp(order[end]->plain, shared) == 0; end++)
            several = several || !same_name(order[i], order[end]);
        if (!order[i]->exact && (several || strlen(shared) >= NAME_MOST))
            continue;
        (void)take(taken, shared);
        for (size_t at = i; at < end && same_name(order[at], order[i]); at++)
            order[at]->identifier = shared;
    }
}

tn_status schema_names_assign(Arena *arena, const SchemaText *names, size_t count,
                              const char **out_identifiers)
{
    SchemaNames *taken = empty_table(arena);
    Wire *wires = ARENA_ARRAY(arena, Wire, count);
    Wire **order = ARENA_ARRAY(arena, Wire *, count);

    if (!taken || !wires || !order)
        return arena_status(arena);
    for (size_t i = 0; i < count; i++) {
        wires[i].name = names[i];
        wires[i].plain = plain(arena, names[i]);
        if (!wires[i].plain)
            return arena_status(arena);
        wires[i].exact = strlen(wires[i].plain) == names[i].length &&
                         memcmp(wires[i].plain, names[i].text, names[i].length) == 0;
        order[i] = &wires[i];
    }
    sort_wires(order, count);
    choose_plain(taken, order, count);
    for (size_t i = 0; i < count; i++) {
        if (!order[i]->identifier)
            order[i]->identifier = i > 0 && same_name(order[i], order[i - 1])
                                       ? order[i - 1]->identifier
                                       : suffixed(arena, taken, order[i]);
    }
    TRY(arena_status(arena));
    for (size_t i = 0; i < count; i++)
        out_identifiers[i] = wires[i].identifier;
    return TN_OK;
}

const char *schema_names_type(SchemaNames *names, const char *prefix, SchemaText wish)
{
    Arena *arena = names->arena;
    bool capital = true;
    Buf buf;

    buf_init(&buf, arena->allocator, SIZE_MAX);
    buf_append_string(&buf, prefix);
    size_t begin = buf.length;
    for (size_t at = 0; at < wish.length && buf.length - begin < NAME_MOST;) {
        uint32_t code = next_code(wish, &at);
        bool digit = code - '0' < 10, letter = is_letter(code) && code != '_';
        if (digit && buf.length == 0)
            buf_append_byte(&buf, '_');
        if (digit || letter)
            put_code(&buf, capital && code >= 'a' && code <= 'z' ? code - 32 : code);
        capital = !letter;
    }
    if (buf.length == 0 || (wish.length > 0 && buf.length == begin))
        buf_append_string(&buf, "Part");
    const char *name = arena_text(arena, (const char *)buf.data, buf.length);
    buf_release(&buf);
    Taken *slot = name ? slot_of(names, name) : NULL;
    if (!slot || take(names, name))
        return arena_status(arena) == TN_OK ? name : NULL;
    uint32_t number = slot->next;
    const char *text;
    do
        text = arena_printf(arena, "%s%u", name, number++);
    while (arena_status(arena) == TN_OK && !take(names, text));
    slot = slot_of(names, name); /* the table may have grown */
    slot->next = number;
    return arena_status(arena) == TN_OK ? text : NULL;
}
