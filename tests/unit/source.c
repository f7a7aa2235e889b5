/* source: lines, fences, frames, findings, other languages. */
#include "failing_allocator.h"

#include "findings.h"
#include "memory.h"
#include "source.h"

static Arena arena;

static int set_up(void **state)
{
    (void)state;
    arena_init(&arena, memory_default(), SIZE_MAX);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_release(&arena);
    return 0;
}

static const Source *load(const char *text)
{
    Source *source = NULL;
    assert_int_equal(source_load(&arena, "program.js", text, strlen(text), &source), TN_OK);
    return source;
}

static void finds_lines_and_columns(void **state)
{
    (void)state;
    const Source *source = load("ab\ncd\r\ne\xF0\x9F\x98\x80z\rlast");
    static const struct {
        uint32_t offset;
        unsigned line, column, character;
    } cases[] = {{0, 1, 1, 1}, {1, 1, 2, 2}, {2, 1, 3, 3},  {3, 2, 1, 1},  {6, 2, 4, 4},
                 {7, 3, 1, 1}, {8, 3, 2, 2}, {12, 3, 4, 3}, {14, 4, 1, 1}, {99, 4, 5, 5}};
    assert_int_equal(source->line_count, 4);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        Position at = source_position(source, cases[i].offset);
        assert_int_equal(at.line, cases[i].line);
        assert_int_equal(at.column, cases[i].column);
        assert_int_equal(at.character, cases[i].character);
        if (cases[i].offset < 99 && cases[i].offset != 6)
            assert_int_equal(source_offset(source, at), cases[i].offset);
    }
    assert_int_equal(source_offset(source, (Position){.line = 1, .column = 50}), 2);
    assert_int_equal(source_offset(source, (Position){.line = 9, .column = 1}), 18);
    assert_int_equal(source_offset(source, (Position){.line = 0}), 0);
    assert_int_equal(load("")->line_count, 1);
    assert_int_equal(source_position(load(""), 0).line, 1);
    assert_false(load("\xFF")->is_utf8);
}

/* The text keeps its shape: only what is not code has become spaces. */
static void fenced(const char *text, const char *code, const char *language)
{
    const Source *source = load(text);
    char squeezed[256];
    size_t length = 0;
    if (!source->unfenced)
        fail_msg("left as it is: %s", text);
    assert_string_equal(source->language, language);
    assert_int_equal(source->length, strlen(text));
    for (size_t i = 0; i < source->length; i++) {
        bool kept = source->text[i] == text[i];
        assert_true(kept || source->text[i] == ' ');
        if (source->text[i] != ' ' && source->text[i] != '\n' && source->text[i] != '\r')
            squeezed[length++] = source->text[i];
    }
    squeezed[length] = '\0';
    assert_string_equal(squeezed, code);
}

static void removes_fences(void **state)
{
    (void)state;
    fenced("```js\nfoo()\n```", "foo()", "js");
    fenced("```\nfoo()\n```\n", "foo()", "");
    fenced("\n  ```TypeScript title=\"x\"\r\nfoo()\r\n  ```  \r\n\r\n", "foo()", "typescript");
    fenced("~~~js\nfoo()\n~~~", "foo()", "js");
    fenced("````md\n```\nx\n```\n````", "```x```", "md");
    fenced("```js\nfoo()\n~~~\n```", "foo()~~~", "js");
    fenced("```js\nfoo()", "foo()", "js");
    fenced("```js\n```", "", "js");
    fenced("```{.js}\nfoo()\n```", "foo()", "");
    fenced("Here is the program:\n\n```js\nfoo()\n```\nIt calls foo, and that's it.", "foo()",
           "js");
    fenced("1. Say hello.\n\n```js\nfoo()\n```\n", "foo()", "js");
    const Source *source = load("Here:\n```js\nfoo()\nbar()\n```\n");
    const char *bar = strstr(source->text, "bar");
    assert_non_null(bar);
    assert_int_equal(source_position(source, (uint32_t)(bar - source->text)).line, 4);
}

static void leaves_other_text(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "foo()",
        "",
        "~~~5",
        "~~~js\nfoo()",
        "/*\n```js\nfoo()\n```\n*/\nbar();",
        "const x = 1;\n```js\nfoo()\n```\n",
        "```js\nfoo()\n```\nreturn 5",
        "Two:\n```js\na\n```\nand\n```js\nb\n```\n",
        "let a = ``\n``` x",
        "    ```js\n    foo()\n    ```\n",
        "``` a`b\nfoo()\n```",
    };
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        const Source *source = load(texts[i]);
        if (source->unfenced)
            fail_msg("changed: %s", texts[i]);
        assert_string_equal(source->text, texts[i]);
    }
    assert_int_equal(load(texts[7])->fences, 2);
}

static void framed(const char *text, Span span, const char *expected)
{
    const char *frame = source_frame(&arena, load(text), span);
    assert_non_null(frame);
    assert_string_equal(frame, expected);
}

static void shows_frames(void **state)
{
    (void)state;
    framed("a\nb\nc\nfoo(bar)\ne\nf", (Span){10, 13},
           "  2 | b\n  3 | c\n> 4 | foo(bar)\n    |     ^^^\n  5 | e\n");
    framed("x", (Span){0, 0}, "> 1 | x\n    | ^\n");
    framed("", (Span){0, 0}, "> 1 |\n    | ^\n");
    framed("x\n", (Span){99, 100}, "  1 | x\n> 2 |\n    | ^\n");
    framed("\tif (x)\n\t\ty", (Span){10, 11},
           "  1 |     if (x)\n> 2 |         y\n    |         ^\n");
    framed("\xE6\xBC\xA2\xE6\xBC\xA2 x", (Span){7, 8},
           "> 1 | \xE6\xBC\xA2\xE6\xBC\xA2 x\n    |      ^\n");
    framed("a\x1B[31mb", (Span){6, 7}, "> 1 | a\xEF\xBF\xBD[31mb\n    |       ^\n");
    framed("a\n\nb", (Span){3, 4}, "  1 | a\n  2 |\n> 3 | b\n    | ^\n");
    framed("ab\ncd", (Span){1, 5}, "> 1 | ab\n    |  ^\n  2 | cd\n");
}

static void cuts_long_lines(void **state)
{
    (void)state;
    char text[600], *at = text;
    for (int i = 0; i < 500; i++)
        *at++ = (char)('a' + i % 26);
    *at = '\0';
    for (uint32_t offset = 0; offset <= 500; offset += 7) {
        const char *frame = source_frame(&arena, load(text), (Span){offset, offset + 1});
        assert_non_null(frame);
        const char *caret = strchr(strchr(frame, '\n'), '^');
        size_t column = (size_t)(caret - strchr(frame, '\n') - 1);
        assert_true(strlen(frame) < 250);
        /* what stands over the caret; an ellipsis before it is three bytes and one column */
        size_t extra = memcmp(frame + 6, "\xE2\x80\xA6", 3) == 0 ? 2 : 0;
        if (offset < 500)
            assert_int_equal(frame[column + extra], text[offset]);
    }
}

static void refusal_of_memory(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        Arena own;
        Source *source = NULL;
        Findings findings;
        const char text[] = "```js\nfoo(bar)\n```\n";
        arena_init(&own, failing_allocator(&failing), SIZE_MAX);
        tn_status status = source_load(&own, "a.js", text, sizeof text - 1, &source);
        if (status == TN_OK) {
            findings_init(&findings, &own);
            findings_add(&findings, "TN1", TN_SEVERITY_ERROR, (Span){6, 9}, "wrong");
            const char *frame = source_frame(&own, source, (Span){6, 9});
            assert_true(frame || own.failed);
            status = arena_status(&own);
            assert_true(status != TN_OK || findings.count == 1);
        }
        arena_release(&own);
        failing_settle(&failing, status);
    }
}

static void lists_findings(void **state)
{
    (void)state;
    Findings findings;
    findings_init(&findings, &arena);
    for (int i = 0; i < 2 * FINDINGS_MAX; i++)
        findings_add(&findings, "TN1", i % 2 ? TN_SEVERITY_ERROR : TN_SEVERITY_INFO,
                     (Span){(uint32_t)i, 0}, "wrong");
    assert_int_equal(findings.count, FINDINGS_MAX);
    assert_int_equal(findings.errors, FINDINGS_MAX);
    assert_int_equal(findings.first->next->span.start, 1);
    assert_string_equal(findings.last->message, "wrong");
}

static void tells_other_languages(void **state)
{
    (void)state;
    static const struct {
        const char *text, *language;
    } cases[] = {
        {"import json\ndata = json.loads(s)\nprint(data)", "python"},
        {"def f(x):\n    return x + 1\n\nprint(f(2))", "python"},
        {"def f(x): return x + 1\nprint(f(2))", "python"},
        {"def f(x: int) -> int: return x\n", "python"},
        {"for i in range(3):\n    print(i)", "python"},
        {"from os import path\n", "python"},
        {"# sum\ntotal = sum(x for x in xs)\nprint(f\"{total}\")", "python"},
        {"#!/bin/bash\nls -l", "shell"},
        {"$ npm install\n$ npm test", "shell"},
        {"cd src\ngit status", "shell"},
        {"if [ -f x ]; then\n  rm -f x\nfi", "shell"},
        {"--- a/x.js\n+++ b/x.js\n@@ -1 +1 @@\n-a\n+b\n", "diff"},
        {"diff --git a/x b/x\n", "diff"},
        {"const x = 1;\nconsole.log(x", NULL},
        {"for (const a of b) {\n  print(a)\n", NULL},
        {"import { a } from \"b\"\na(", NULL},
        {"import fs from 'fs'\nfs.(", NULL},
        {"// run: git status\nlet a = ;\nreturn a", NULL},
        {"x = {\n  a: 1,,\n}", NULL},
        {"hello world", NULL},
        {"class A {\n  b( { }\n}", NULL},
        {"", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *found = source_foreign(cases[i].text, strlen(cases[i].text));
        bool same = found && cases[i].language ? strcmp(found, cases[i].language) == 0
                                               : found == cases[i].language;
        if (!same)
            fail_msg("%s: %s", found ? found : "(none)", cases[i].text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(finds_lines_and_columns, set_up, tear_down),
        cmocka_unit_test_setup_teardown(removes_fences, set_up, tear_down),
        cmocka_unit_test_setup_teardown(leaves_other_text, set_up, tear_down),
        cmocka_unit_test_setup_teardown(shows_frames, set_up, tear_down),
        cmocka_unit_test_setup_teardown(cuts_long_lines, set_up, tear_down),
        cmocka_unit_test_setup_teardown(refusal_of_memory, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists_findings, set_up, tear_down),
        cmocka_unit_test_setup_teardown(tells_other_languages, set_up, tear_down),
    };
    RUN_TESTS(tests);
}
