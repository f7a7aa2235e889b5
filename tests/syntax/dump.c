/*
 * Our side of the comparison with the oracle: texts in, what we make of them out.
 *
 *   dump < frames       a frame: "<bytes> <flags>\n" and the text; flags: d for a declaration file,
 *                       p for "places": where each byte of the erased text comes from,
 *                       g for "syntax" to be what check_grammar says; such a text is not erased
 *   dump -e FILE        the erased text of a file, then its findings as lines of //
 *   dump -r FILE...     each file with the n-th allocation refused, for every n there is
 *
 * Of each frame: a line of JSON, then the erased text.
 *
 *   {"syntax": [[code, start, end], ...], "erasure": [["TN1021", start, end], ...],
 *    "lowered": ["enum", ...], "bytes": N}
 *
 * A text that does not parse is not erased (bytes 0).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "erase.h"

enum { SHOWN_MAX = 20, ARENA_BYTES = 1 << 30 };

static void *resize(void *context, void *block, size_t old, size_t new)
{
    (void)context;
    (void)old;
    if (new == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new);
}

static const tn_allocator heap = {.resize = resize};

typedef struct Result {
    Findings syntax;
    Findings erasure;
    Erased erased;
} Result;

static void die(const char *what)
{
    fprintf(stderr, "dump: %s\n", what);
    exit(1);
}

/* False if there was not enough memory. */
static bool look_at(Arena *arena, const char *text, size_t length, bool declaration, bool grammar,
                    Result *result)
{
    ParseOptions options = {.declaration_file = declaration};
    Source *source = arena_push(arena, sizeof *source);
    SourceFile *file;

    if (!source)
        return false;
    /* Not source_load(): fences are no part of what is compared. */
    *source = (Source){.name = declaration ? "case.d.ts" : "case.ts",
                       .text = arena_text(arena, text, length),
                       .length = length,
                       .language = "",
                       .is_utf8 = true};
    findings_init(&result->syntax, arena);
    findings_init(&result->erasure, arena);
    if (parse_module(arena, source, &options, &result->syntax, &file) != TN_OK)
        return false;
    if (grammar && result->syntax.errors == 0) {
        check_grammar(arena, source, &options, file, &result->syntax);
        return arena_status(arena) == TN_OK;
    }
    return result->syntax.errors > 0 ||
           erase_types(arena, source, file, &result->erasure, &result->erased) == TN_OK;
}

static void print_findings(const char *name, const Findings *findings)
{
    unsigned count = 0;

    printf("\"%s\":[", name);
    for (const Finding *one = findings->first; one && count < SHOWN_MAX; one = one->next, count++) {
        bool is_number = strncmp(one->code, "TS", 2) == 0;
        printf("%s[%s%s%s,%u,%u]", count > 0 ? "," : "", is_number ? "" : "\"",
               is_number ? one->code + 2 : one->code, is_number ? "" : "\"", one->span.start,
               one->span.end);
    }
    printf("],");
}

static void print_lowered(uint32_t lowered)
{
    static const char *const names[] = {"enum",          "namespace",     "parameter-property",
                                        "import-equals", "export-equals", "pattern",
                                        "parentheses",   "body"};
    bool is_first = true;

    printf("\"lowered\":[");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (!(lowered >> i & 1))
            continue;
        printf("%s\"%s\"", is_first ? "" : ",", names[i]);
        is_first = false;
    }
    printf("],");
}

static void print_places(const Erased *erased)
{
    printf("\"places\":[");
    for (uint32_t at = 0; at < erased->length; at++)
        printf("%s%u", at > 0 ? "," : "", erased_place(erased, at));
    printf("],");
}

static void answer(const char *text, size_t length, const char *flags)
{
    Result result = {0};
    Arena arena;

    arena_init(&arena, &heap, ARENA_BYTES);
    if (!look_at(&arena, text, length, strchr(flags, 'd') != NULL, strchr(flags, 'g') != NULL,
                 &result))
        die("out of memory");
    printf("{");
    print_findings("syntax", &result.syntax);
    print_findings("erasure", &result.erasure);
    print_lowered(result.erased.lowered);
    if (strchr(flags, 'p'))
        print_places(&result.erased);
    printf("\"bytes\":%zu}\n", result.erased.length);
    if (result.erased.length > 0)
        fwrite(result.erased.text, 1, result.erased.length, stdout);
    fflush(stdout);
    arena_release(&arena);
}

static char *read_whole(FILE *from, size_t length)
{
    char *text = malloc(length + 1);

    if (!text || fread(text, 1, length, from) != length)
        die("a frame is cut short");
    text[length] = 0;
    return text;
}

static char *read_file(const char *name, size_t *out_length)
{
    FILE *file = fopen(name, "rb");

    if (!file || fseek(file, 0, SEEK_END) != 0)
        die("cannot read the file");
    *out_length = (size_t)ftell(file);
    rewind(file);
    char *text = read_whole(file, *out_length);
    fclose(file);
    return text;
}

static int erase_file(const char *name)
{
    Result result = {0};
    Arena arena;
    size_t length;
    char *text = read_file(name, &length);

    arena_init(&arena, &heap, ARENA_BYTES);
    size_t n = strlen(name);
    if (!look_at(&arena, text, length, n > 5 && strcmp(name + n - 5, ".d.ts") == 0, false, &result))
        die("out of memory");
    if (result.erased.length > 0)
        fwrite(result.erased.text, 1, result.erased.length, stdout);
    for (const Finding *one = result.syntax.first; one; one = one->next)
        printf("// %s %u-%u %s\n", one->code, one->span.start, one->span.end, one->message);
    for (const Finding *one = result.erasure.first; one; one = one->next)
        printf("// %s %u-%u %s\n", one->code, one->span.start, one->span.end, one->message);
    arena_release(&arena);
    free(text);
    return 0;
}

/* ---- memory that is refused ---- */

typedef struct Refusing {
    unsigned left; /* allocations that still succeed */
} Refusing;

static void *refuse_later(void *context, void *block, size_t old, size_t new)
{
    Refusing *refusing = context;

    if (new > 0 && refusing->left == 0)
        return NULL;
    refusing->left -= new > 0;
    return resize(NULL, block, old, new);
}

/* Refused memory is told by a status, whenever it happens. Returns how many refusals were tried. */
static unsigned refuse_each(const char *name)
{
    size_t length;
    char *text = read_file(name, &length);
    bool done = false;
    unsigned n = 0;

    for (; !done; n++) {
        Refusing refusing = {.left = n};
        tn_allocator allocator = {.context = &refusing, .resize = refuse_later};
        Result result = {0};
        Arena arena;
        arena_init(&arena, &allocator, ARENA_BYTES);
        done = look_at(&arena, text, length, false, false, &result) &&
               look_at(&arena, text, length, false, true, &result);
        if (done != (arena_status(&arena) == TN_OK))
            die("refused memory was not told");
        arena_release(&arena);
    }
    free(text);
    return n;
}

int main(int argc, char **argv)
{
    char head[64];

    if (argc == 3 && strcmp(argv[1], "-e") == 0)
        return erase_file(argv[2]);
    if (argc > 2 && strcmp(argv[1], "-r") == 0) {
        for (int i = 2; i < argc; i++)
            printf("%s: %u refusals\n", argv[i], refuse_each(argv[i]));
        printf("%d passed, 0 failed\n", argc - 2);
        return 0;
    }
    while (fgets(head, sizeof head, stdin)) {
        char *rest;
        size_t length = strtoul(head, &rest, 10);
        char *text = read_whole(stdin, length);
        answer(text, length, rest);
        free(text);
    }
    return 0;
}
