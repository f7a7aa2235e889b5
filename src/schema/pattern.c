#include "pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <string.h>

#include "buf.h"
#include "memory.h"
#include "utf8.h"

struct Pattern {
    pcre2_code *code;
};

/* The steps of one search are at most this, whatever the text's length times its starts. */
enum { STEPS_TIMES_LENGTH = 50000000, STEPS_LEAST = 1000, STEPS_MOST = 100000, HEAP_KIB = 4096 };

static void *from_arena(size_t bytes, void *arena)
{
    return arena_push(arena, bytes);
}

static void to_arena(void *block, void *arena)
{
    (void)block, (void)arena; /* it dies with the arena */
}

static const char *compile_problem(int error)
{
    switch (error) {
    case PCRE2_ERROR_LOOKBEHIND_NOT_FIXED_LENGTH:
        return "lookbehind of no fixed length";
    case PCRE2_ERROR_PATTERN_TOO_LARGE:
    case PCRE2_ERROR_PATTERN_TOO_COMPLICATED:
    case PCRE2_ERROR_PARENTHESES_NEST_TOO_DEEP:
    case PCRE2_ERROR_QUANTIFIER_TOO_BIG:
        return "a pattern that is too large";
    default:
        return PATTERN_NOT_ECMA;
    }
}

tn_status pattern_new(Arena *arena, const char *text, size_t length, Pattern **out_pattern,
                      const char **out_problem)
{
    Buf translated;
    Pattern *pattern = ARENA_NEW(arena, Pattern);
    PCRE2_SIZE place;
    int error = 0;

    *out_problem = NULL;
    if (!pattern)
        return arena_status(arena);
    if (!utf8_valid(text, length)) {
        *out_problem = "a pattern with half of a surrogate pair";
        return TN_ERR_ARGUMENT;
    }
    buf_init(&translated, arena->allocator, SIZE_MAX);
    bool good = pattern_translate(text, length, &translated, out_problem);
    tn_status status = buf_status(&translated);
    if (good && status == TN_OK) {
        pcre2_general_context *general = pcre2_general_context_create(from_arena, to_arena, arena);
        pcre2_compile_context *compile = general ? pcre2_compile_context_create(general) : NULL;
        if (compile)
            pattern->code = pcre2_compile(
                translated.length > 0 ? translated.data : (PCRE2_SPTR) "", translated.length,
                PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_DOLLAR_ENDONLY |
                    PCRE2_MATCH_UNSET_BACKREF | PCRE2_NEVER_BACKSLASH_C,
                &error, &place, compile);
        status = arena_status(arena);
    }
    buf_release(&translated);
    if (status != TN_OK)
        return status;
    if (!pattern->code) {
        if (!*out_problem)
            *out_problem = compile_problem(error);
        return TN_ERR_ARGUMENT;
    }
    *out_pattern = pattern;
    return TN_OK;
}

/* The allocator wants sizes back: each block has its own in front. */
enum { HEAD_BYTES = 16 };

static void *from_allocator(size_t bytes, void *allocator)
{
    uint8_t *block = bytes > SIZE_MAX - HEAD_BYTES
                         ? NULL
                         : memory_resize(allocator, NULL, 0, bytes + HEAD_BYTES);

    if (!block)
        return NULL;
    bytes += HEAD_BYTES;
    memcpy(block, &bytes, sizeof bytes);
    return block + HEAD_BYTES;
}

static void to_allocator(void *block, void *allocator)
{
    size_t bytes;

    if (!block)
        return;
    memcpy(&bytes, (uint8_t *)block - HEAD_BYTES, sizeof bytes);
    memory_free(allocator, (uint8_t *)block - HEAD_BYTES, bytes);
}

void matcher_init(Matcher *matcher, const tn_allocator *allocator)
{
    *matcher = (Matcher){.allocator = allocator};
}

void matcher_release(Matcher *matcher)
{
    pcre2_match_data_free(matcher->data);
    pcre2_match_context_free(matcher->context);
    matcher->data = matcher->context = NULL;
}

static bool matcher_open(Matcher *matcher)
{
    if (matcher->data)
        return true;
    pcre2_general_context *general = pcre2_general_context_create(
        from_allocator, to_allocator, (void *)(uintptr_t)matcher->allocator);
    if (!general)
        return false;
    if (!matcher->context)
        matcher->context = pcre2_match_context_create(general);
    if (matcher->context)
        matcher->data = pcre2_match_data_create(1, general);
    pcre2_general_context_free(general);
    return matcher->data != NULL;
}

PatternVerdict pattern_match(const Pattern *pattern, Matcher *matcher, const char *text,
                             size_t length)
{
    if (!matcher_open(matcher))
        return PATTERN_GAVE_UP;
    size_t steps = STEPS_TIMES_LENGTH / (length + 1);
    steps = steps < STEPS_LEAST ? STEPS_LEAST : steps > STEPS_MOST ? STEPS_MOST : steps;
    (void)pcre2_set_match_limit(matcher->context, (uint32_t)steps);
    (void)pcre2_set_heap_limit(matcher->context, HEAP_KIB);
    int found =
        pcre2_match(pattern->code, (PCRE2_SPTR)text, length, 0, 0, matcher->data, matcher->context);
    if (found >= 0)
        return PATTERN_YES;
    return found == PCRE2_ERROR_NOMATCH ? PATTERN_NO : PATTERN_GAVE_UP;
}
