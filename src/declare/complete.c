/* What is missing in the declarations: each package is a global and a module, whichever of the two
 * somebody wrote; and what nobody declared takes and gives anything. */
#include <string.h>

#include "make.h"
#include "words.h"

typedef struct Completion {
    const Maker *maker;
    const DeclaredAs *as;
    const RegistryEntry **functions; /* sorted by their names: packages are together */
    size_t count;
    Buf *out;
} Completion;

/* Those of `first` on whose names begin alike, up to `length` bytes. */
static size_t alike(const Completion *completion, size_t first, size_t end, size_t length)
{
    const char *begin = completion->functions[first]->name;

    while (++first < end && strncmp(completion->functions[first]->name, begin, length) == 0) {
    }
    return first;
}

static bool any_is(const Completion *completion, size_t first, size_t end, DeclaredAs as)
{
    for (; first < end; first++) {
        if (completion->as[completion->functions[first]->number] == as)
            return true;
    }
    return false;
}

static bool is_value(const Declared *declared)
{
    for (; declared; declared = declared->next) {
        if (declared->node->kind != NODE_INTERFACE_DECLARATION &&
            declared->node->kind != NODE_TYPE_ALIAS_DECLARATION)
            return true;
    }
    return false;
}

/* Is there a global of that name that is more than types? */
static bool is_taken(const Completion *completion, const char *name, size_t length)
{
    const NameTable *table = &completion->maker->names;
    const Named *named = names_in(table, &table->global, name, length);

    if (!named)
        return false;
    for (uint32_t i = 0; named->inner && i <= table->mask; i++) {
        const Named *inner = table->places[i];
        if (inner && inner->space == named->inner && (is_value(inner->first) || inner->inner))
            return true;
    }
    return is_value(named->first);
}

static void put(const Completion *completion, const char *text, size_t length)
{
    buf_append(completion->out, text, length);
}

static void put_string(const Completion *completion, const char *text)
{
    buf_append_string(completion->out, text);
}

/* ---- as a global ---- */

static void put_function(const Completion *completion, const RegistryEntry *function, size_t at)
{
    put_string(completion, function->name + at);
    put_string(completion, function->flags & TN_FUNCTION_SYNC ? "(...args: any[]): any; "
                                                              : "(...args: any[]): Promise<any>; ");
}

static void put_import(const Completion *completion, const char *name, size_t length)
{
    const Space *module = names_module(&completion->maker->names, name, length);

    put_string(completion, "typeof import(\"");
    put(completion, name, length);
    put_string(completion, module && module->is_default ? "\").default" : "\")");
}

/* The type of what stands before `at` in the names: functions, and packages inside. */
static void put_type(const Completion *completion, size_t first, size_t end, size_t at)
{
    const char *package = completion->functions[first]->name;
    const Space *module = names_module(&completion->maker->names, package, at - 1);

    if (module) {
        put_import(completion, package, at - 1);
        put_string(completion, " & ");
    }
    put_string(completion, "{ ");
    for (size_t next; first < end; first = next) {
        const char *name = completion->functions[first]->name;
        const char *dot = strchr(name + at, '.');
        size_t length = dot ? (size_t)(dot - name) + 1 : 0;
        next = dot ? alike(completion, first, end, length) : first + 1;
        if (dot) {
            put(completion, name + at, length - 1 - at);
            put_string(completion, ": ");
            put_type(completion, first, next, length);
            put_string(completion, "; ");
        } else if (!module) {
            put_function(completion, completion->functions[first], at);
        }
    }
    put_string(completion, "}");
}

/* `hub` of "hub.f", "hub.deep.g": declared by itself already, or a constant. False: it is none that
 * a program could write. */
static bool complete_global(const Completion *completion, size_t first, size_t end)
{
    const char *name = completion->functions[first]->name;
    size_t length = strcspn(name, ".");
    Token word = word_token(name, length);

    if (word >= TOKEN_FIRST_RESERVED && word <= TOKEN_LAST_STRICT_RESERVED)
        return false;
    if (any_is(completion, first, end, DECLARED_GLOBAL) || is_taken(completion, name, length))
        return true;
    put_string(completion, "declare const ");
    put(completion, name, length);
    put_string(completion, ": ");
    put_type(completion, first, end, length + 1);
    put_string(completion, ";\n");
    return true;
}

/* ---- as a module ---- */

/* Namespaces all the way: then their types can be imported as well. */
static bool is_namespace(const NameTable *table, const char *name, size_t length)
{
    const Space *space = &table->global;

    for (size_t at = 0; space && at < length;) {
        size_t part = strcspn(name + at, ".");
        const Named *named = names_in(table, space, name + at, part);
        space = named ? named->inner : NULL;
        at += part + 1;
    }
    return space != NULL;
}

static void complete_module(const Completion *completion, size_t first)
{
    const char *name = completion->functions[first]->name;
    size_t length = (size_t)(strrchr(name, '.') - name);

    if (names_module(&completion->maker->names, name, length))
        return;
    put_string(completion, "declare module \"");
    put(completion, name, length);
    if (is_namespace(&completion->maker->names, name, length)) {
        put_string(completion, "\" { export = ");
        put(completion, name, length);
    } else {
        put_string(completion, "\" { const all: typeof ");
        put(completion, name, length);
        put_string(completion, "; export = all");
    }
    put_string(completion, "; }\n");
}

static void complete_modules(const Completion *completion, size_t first, size_t end)
{
    for (; first < end; first++) {
        const char *name = completion->functions[first]->name;
        size_t length = (size_t)(strrchr(name, '.') - name) + 1;
        bool seen = false;
        /* a package's functions are together, but for those of packages inside it */
        for (size_t i = first; i > 0 && !seen; i--) {
            const char *before = completion->functions[i - 1]->name;
            if (strncmp(before, name, length) != 0)
                break;
            seen = !strchr(before + length, '.');
        }
        if (!seen)
            complete_module(completion, first);
    }
}

void complete(const Maker *maker, const DeclaredAs *as, Buf *out)
{
    const Registry *registry = maker->registry;
    Completion completion = {.maker = maker, .as = as, .out = out};

    completion.functions =
        ARENA_ARRAY(maker->scratch, const RegistryEntry *, registry->functions + 1);
    for (uint32_t i = 0; completion.functions && i < registry->functions; i++) {
        if (registry->by_name[i]->kind == ENTRY_FUNCTION &&
            !(registry->by_name[i]->flags & TN_FUNCTION_UNLISTED))
            completion.functions[completion.count++] = registry->by_name[i];
    }
    for (size_t first = 0, next; first < completion.count; first = next) {
        size_t length = strcspn(completion.functions[first]->name, ".") + 1;
        next = alike(&completion, first, completion.count, length);
        if (complete_global(&completion, first, next))
            complete_modules(&completion, first, next);
    }
}
