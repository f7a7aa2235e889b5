#include "registry.h"

#include <stdlib.h>
#include <string.h>

#include "utf8.h"

void registry_init(Registry *registry, const tn_allocator *allocator)
{
    *registry = (Registry){0};
    arena_init(&registry->arena, allocator, SIZE_MAX);
}

void registry_release(Registry *registry)
{
    arena_release(&registry->arena);
}

/* Characters that may stand in an identifier: of ASCII those that may; of the rest what is no
 * blank, no sign and no half of a pair. Names with others could be added and never written. */
static bool is_name_code(uint32_t code, bool start)
{
    if (code < 0x80)
        return (code | 32) - 'a' < 26 || code == '_' || code == '$' || (!start && code - '0' < 10);
    return code >= 0xC0 && code != 0xD7 && code != 0xF7 && !(code >= 0x2000 && code < 0x2C00) &&
           !(code >= 0x3000 && code < 0x3005) && !(code >= 0xD800 && code < 0xF900) &&
           code != 0xFEFF && code < 0xFFF0;
}

/* Identifiers joined by dots; `dots_min` at least, `dots_max` at most. */
static bool is_dotted_name(const char *name, unsigned dots_min, unsigned dots_max)
{
    static const char proto[] = "__proto__"; /* every object has a meaning for it already */
    size_t length = strlen(name), begin = 0, count;
    unsigned dots = 0;
    uint32_t code;

    for (size_t at = 0; at <= length; at += count) {
        count = at < length ? wtf8_decode(name + at, length - at, &code) : 1;
        if (count == 0)
            return false;
        if (at == length || code == '.') {
            if (at == begin ||
                (at - begin == strlen(proto) && memcmp(name + begin, proto, strlen(proto)) == 0))
                return false;
            dots += at < length;
            begin = at + 1;
        } else if (!is_name_code(code, at == begin)) {
            return false;
        }
    }
    return dots >= dots_min && dots <= dots_max;
}

bool registry_has(const Registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->count; i++) {
        if (strcmp(registry->entries[i].name, name) == 0)
            return true;
    }
    return false;
}

const char *registry_interface(const Registry *registry, const char *name)
{
    for (size_t i = 0; i < registry->count; i++) {
        if (registry->entries[i].kind == ENTRY_INTERFACE &&
            strcmp(registry->entries[i].name, name) == 0)
            return registry->entries[i].name;
    }
    return NULL;
}

/* "a.b" is taken by the function "a.b", and would hide the package of "a.b.c". */
static bool is_taken(const Registry *registry, const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < registry->count; i++) {
        const char *other = registry->entries[i].name;
        size_t other_length = strlen(other);
        size_t shorter = length < other_length ? length : other_length;
        if (memcmp(name, other, shorter) == 0 &&
            (length == other_length || (length > shorter ? name[shorter] : other[shorter]) == '.'))
            return true;
    }
    return false;
}

tn_status registry_add(Registry *registry, EntryKind kind, const char *name, unsigned flags,
                       Provider provider)
{
    unsigned dots_min = kind == ENTRY_INTERFACE ? 0 : 1;
    unsigned dots_max = kind == ENTRY_INTERFACE ? 0 : kind == ENTRY_METHOD ? 1 : 8;

    if (!name || strlen(name) > 200 || !is_dotted_name(name, dots_min, dots_max))
        return TN_ERR_ARGUMENT;
    if (kind == ENTRY_METHOD ? registry_has(registry, name) : is_taken(registry, name))
        return TN_ERR_STATE;
    if (registry->count == registry->capacity) {
        size_t capacity = registry->capacity ? registry->capacity * 2 : 16;
        RegistryEntry *grown =
            arena_grow(&registry->arena, registry->entries, registry->count * sizeof *grown,
                       capacity * sizeof *grown);
        if (!grown)
            return TN_ERR_NOMEM;
        registry->entries = grown;
        registry->capacity = capacity;
    }
    RegistryEntry entry = {.kind = kind,
                           .name = arena_string(&registry->arena, name),
                           .flags = flags,
                           .provider = provider};
    if (!entry.name)
        return TN_ERR_NOMEM;
    if (kind != ENTRY_INTERFACE)
        entry.number = registry->functions++;
    registry->entries[registry->count++] = entry;
    return TN_OK;
}

static int by_name(const void *one, const void *other)
{
    return strcmp((*(RegistryEntry *const *)one)->name, (*(RegistryEntry *const *)other)->name);
}

static int name_of(const void *name, const void *entry)
{
    return strcmp(name, (*(RegistryEntry *const *)entry)->name);
}

const RegistryEntry *registry_function(const Registry *registry, const char *name)
{
    RegistryEntry **found =
        bsearch(name, registry->by_name, registry->functions, sizeof *registry->by_name, name_of);

    return found ? *found : NULL;
}

tn_status registry_first(Registry *registry, size_t from)
{
    size_t count = registry->count - from;
    RegistryEntry *moved = arena_push_array(&registry->arena, count + 1, sizeof *moved);

    if (!moved)
        return TN_ERR_NOMEM;
    memcpy(moved, registry->entries + from, count * sizeof *moved);
    memmove(registry->entries + count, registry->entries, from * sizeof *moved);
    memcpy(registry->entries, moved, count * sizeof *moved);
    registry->functions = 0;
    for (size_t i = 0; i < registry->count; i++) {
        if (registry->entries[i].kind != ENTRY_INTERFACE)
            registry->entries[i].number = registry->functions++;
    }
    return TN_OK;
}

tn_status registry_close(Registry *registry)
{
    RegistryEntry **by_number =
        arena_push_array(&registry->arena, registry->functions + 1, sizeof(RegistryEntry *));
    RegistryEntry **sorted =
        arena_push_array(&registry->arena, registry->functions + 1, sizeof(RegistryEntry *));

    if (!by_number || !sorted)
        return TN_ERR_NOMEM;
    for (size_t i = 0; i < registry->count; i++) {
        if (registry->entries[i].kind != ENTRY_INTERFACE)
            by_number[registry->entries[i].number] = &registry->entries[i];
    }
    memcpy(sorted, by_number, registry->functions * sizeof *sorted);
    qsort(sorted, registry->functions, sizeof *sorted, by_name);
    registry->by_number = by_number;
    registry->by_name = sorted;
    return TN_OK;
}
