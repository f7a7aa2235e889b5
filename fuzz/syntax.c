/*
 * Fuzz target: any bytes as a program in TypeScript, and as a declaration file.
 *
 * There is always a tree, children lie inside their parent and in order, and findings lie in the
 * text. What parses without findings can be rid of its types: the lines stay what they were.
 */
#include <string.h>

#include "advice.h"
#include "erase.h"
#include "fuzz.h"
#include "memory.h"

typedef struct Walk {
    const Node *parent;
    uint32_t at; /* the end of the child before */
    unsigned depth;
    bool right; /* the program has no findings */
} Walk;

static bool look(Node *node, void *context)
{
    Walk *walk = context, below = {node, node->start, walk->depth + 1, walk->right};

    FUZZ_CHECK(node->kind > NODE_NONE && node->kind < NODE_KIND_COUNT);
    FUZZ_CHECK(node->full_start <= node->start && node->start <= node->end);
    FUZZ_CHECK(node->end <= walk->parent->end);
    FUZZ_CHECK(node->start >= walk->at || !walk->right);
    FUZZ_CHECK(walk->depth <= SYNTAX_HEIGHT_MAX + 16);
    walk->at = node->end > walk->at ? node->end : walk->at;
    (void)tree_each_child(node, look, &below);
    return true;
}

static size_t count_lines(const char *text, size_t length)
{
    size_t count = 1;

    for (size_t i = 0; i < length; i++)
        count += text[i] == '\n';
    return count;
}

static void erase(Arena *arena, const Source *source, SourceFile *file, Findings *findings)
{
    Offer nothing = {0};
    Erased erased;
    uint32_t before = 0;

    advise(arena, file, &nothing, findings);
    if (erase_types(arena, source, file, findings, &erased) != TN_OK)
        return;
    FUZZ_CHECK(erased.text[erased.length] == 0);
    FUZZ_CHECK(count_lines(erased.text, erased.length) ==
               count_lines(source->text, source->length));
    for (uint32_t at = 0; at <= erased.length; at++) {
        uint32_t place = erased_place(&erased, at);
        FUZZ_CHECK(place <= at && place <= source->length);
        before = place > before ? place : before;
    }
}

static void read_as(const uint8_t *data, size_t size, const char *name, const ParseOptions *options)
{
    Findings findings;
    SourceFile *file;
    Source *source;
    Arena arena;

    arena_init(&arena, memory_default(), (size_t)256 << 20);
    findings_init(&findings, &arena);
    FUZZ_CHECK(source_load(&arena, name, (const char *)data, size, &source) == TN_OK);
    tn_status status = parse_module(&arena, source, options, &findings, &file);
    if (status == TN_OK) {
        Walk walk = {&file->node, 0, 0, findings.errors == 0};
        (void)tree_each_child(&file->node, look, &walk);
        for (const Finding *f = findings.first; f; f = f->next)
            FUZZ_CHECK(f->span.start <= f->span.end && f->span.end <= source->length);
        if (findings.errors == 0)
            check_grammar(&arena, source, options, file, &findings);
        if (findings.errors == 0 && !options->declaration_file)
            erase(&arena, source, file, &findings);
    } else {
        FUZZ_CHECK(status == TN_ERR_LIMIT);
    }
    arena_release(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ParseOptions program = {.async_body = true}, declarations = {.declaration_file = true};

    if (size > 1 << 16)
        return 0;
    read_as(data, size, "program.ts", &program);
    read_as(data, size, "program.d.ts", &declarations);
    return 0;
}
