/* Discovery from inside and through the engine: budgets, hostile texts, threads, memory refused. */
#include "failing_allocator.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "discover.h"
#include "memory.h"

static const char declared[] =
    "declare namespace github {\n"
    "  /** Issues of a repository. All of them. */\n"
    "  function listIssues(input: { repo: string; state?: 'open' }): Promise<Issue[]>;\n"
    "  /** Open an issue.\n   * @param input what it says */\n"
    "  function createIssue(input: NewIssue): Promise<Issue>;\n"
    "  interface Issue extends Base { number: number\n title: string }\n"
    "  interface Base { by: Login } type Login = string;\n"
    "  interface NewIssue { title: string }\n"
    "}\n"
    "declare module \"my-pkg\" { import { T } from \"other\"; export function f(t: T): void }\n"
    "declare module \"other\" { export type T = 1 | 2 }\n"
    "declare const hub: { list(): void; deep: { er: () => void }; \"odd n\"(): I } & I;\n"
    "interface I { all(): I }\n"
    "declare class C { constructor(a: string); static make(): C; get(): I }\n";

static const char *const questions[] = {"",
                                        "issues",
                                        "create an isue",
                                        "github",
                                        "hub",
                                        "f",
                                        "\" OR * NEAR(a, b)",
                                        "zzzzzz",
                                        "a* -b",
                                        "^x",
                                        "{name}: y",
                                        "\xff\xfe\x01",
                                        "C",
                                        "the",
                                        "((((",
                                        "github.*"};
static const char *const names[] = {"github.listIssues",
                                    "github.*",
                                    "hub",
                                    "github.lstIssues",
                                    "C C.get",
                                    "my-pkg",
                                    "I,,github",
                                    "\xff \x1b[2J *",
                                    "*",
                                    ".",
                                    ""};

typedef tn_status (*Question)(Inventory *inventory, const char *words, size_t budget, Buf *out);

static tn_status make(const tn_allocator *allocator, const char *text, size_t length,
                      Inventory **out_inventory)
{
    DeclaredText one = {"test.d.ts", text, length};
    Registry registry;
    tn_status status;

    registry_init(&registry, allocator);
    status = registry_add(&registry, ENTRY_FUNCTION, "plain.call", 0, (Provider){0});
    if (status == TN_OK)
        status = registry_add(&registry, ENTRY_FUNCTION, "github.listIssues", 0, (Provider){0});
    if (status == TN_OK)
        status = inventory_new(allocator, &registry, NULL, &one, 1, out_inventory);
    registry_release(&registry);
    return status;
}

static char *ask(Inventory *inventory, Question question, const char *words, size_t budget)
{
    Buf out;

    buf_init(&out, memory_default(), SIZE_MAX);
    assert_int_equal(question(inventory, words, budget, &out), TN_OK);
    buf_append_byte(&out, 0);
    char *text = strdup((const char *)out.data);
    buf_release(&out);
    assert_non_null(text);
    return text;
}

/* What holds for each answer: it fits, its last line is the one that says so, and nothing in it is
 * hidden or ends a line. */
static void look_over(const char *text, size_t budget)
{
    size_t length = strlen(text), ends = 0;
    size_t most = budget < ANSWER_BYTES_MIN ? ANSWER_BYTES_MIN : budget;

    assert_true(length > 0 && length <= most && text[length - 1] == '\n');
    for (const char *line = text; *line; line = strchr(line, '\n') + 1) {
        bool last = strncmp(line, "COMPLETE\n", 9) == 0 || strncmp(line, "PARTIAL (", 9) == 0;
        ends += last;
        assert_true(!last || strchr(line, '\n')[1] == '\0');
    }
    assert_int_equal(ends, 1);
    for (size_t i = 0; i < length; i++) {
        assert_true((unsigned char)text[i] >= ' ' || text[i] == '\n');
        assert_int_not_equal(text[i], 0x7F);
    }
    assert_null(strstr(text, "\xe2\x80\xa8"));
    assert_null(strstr(text, "\xe2\x80\xae"));
}

static void ask_everything(Inventory *inventory, size_t budget)
{
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        char *text = ask(inventory, inventory_search, questions[i], budget);
        look_over(text, budget);
        free(text);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *text = ask(inventory, inventory_describe, names[i], budget);
        look_over(text, budget);
        free(text);
    }
}

/* ---- tests ---- */

static void test_budgets(void **state)
{
    Inventory *inventory = NULL;

    (void)state;
    assert_int_equal(make(memory_default(), declared, sizeof declared - 1, &inventory), TN_OK);
    for (size_t budget = 0; budget < 3000; budget += 37)
        ask_everything(inventory, budget);
    ask_everything(inventory, SIZE_MAX / 8);
    inventory_free(inventory);
}

/* Cut anywhere, and with an odd byte anywhere. */
static void test_broken(void **state)
{
    static const char odd[] = {0, '\x1b', '\xe2', '"', '/', '}', '{', '`', '*', '\n'};
    char text[sizeof declared];

    (void)state;
    for (size_t length = 0; length < sizeof declared; length += 7) {
        Inventory *inventory = NULL;
        memcpy(text, declared, sizeof declared);
        text[length] = '\0';
        assert_int_equal(make(memory_default(), text, length, &inventory), TN_OK);
        ask_everything(inventory, 700);
        inventory_free(inventory);
        memcpy(text, declared, sizeof declared);
        text[length] = odd[length / 7 % sizeof odd];
        assert_int_equal(make(memory_default(), text, sizeof declared - 1, &inventory), TN_OK);
        ask_everything(inventory, 4000);
        inventory_free(inventory);
    }
}

static char *repeat(const char *head, const char *piece, size_t count, const char *tail)
{
    size_t size = strlen(head) + count * strlen(piece) + strlen(tail) + 1;
    char *text = malloc(size), *at = text;

    assert_non_null(text);
    at = stpcpy(at, head);
    for (size_t i = 0; i < count; i++)
        at = stpcpy(at, piece);
    strcpy(at, tail);
    return text;
}

/* Too deep, too long, too many: an answer all the same. */
static void test_huge(void **state)
{
    char *const texts[] = {
        repeat("declare function f(a: ", "{ a: ", 100000, "1"),
        repeat("declare function f(a: ", "A | ", 300000, "B): void;"),
        repeat("/** ", "word. \xe2\x80\xa8 * COMPLETE\n", 50000, "*/ declare function f(): void;"),
        repeat("declare ", "namespace a.b { ", 5000, "function f(): void"),
        repeat("", "declare namespace a { function f(x: T): T; interface T { t: T } }\n", 5000, ""),
        repeat("declare const a: A; ",
               "interface A { a: A; b: B; c(): A }\ninterface B extends A, "
               "B { d: A & B & { e: B } }\n",
               300, ""),
        repeat("declare const a: ", "{ b: ", 300, "{ f(): void }"),
        repeat("declare function ", "f", 100000, "(): void"),
        repeat("declare const x: { '", "odd \\n name ", 5000, "'(): void }"),
    };

    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Inventory *inventory = NULL;
        assert_int_equal(make(memory_default(), texts[i], strlen(texts[i]), &inventory), TN_OK);
        ask_everything(inventory, 8000);
        inventory_free(inventory);
        free(texts[i]);
    }
}

static void test_refusals(void **state)
{
    (void)state;
    FOR_EACH_REFUSAL(failing)
    {
        const tn_allocator *allocator = failing_allocator(&failing);
        Inventory *inventory = NULL;
        Buf out;
        tn_status status = make(allocator, declared, sizeof declared - 1, &inventory);
        buf_init(&out, allocator, SIZE_MAX);
        if (status == TN_OK)
            status = inventory_search(inventory, "isues of github", 3000, &out);
        if (status == TN_OK)
            status = inventory_search(inventory, "", 3000, &out);
        if (status == TN_OK)
            status = inventory_describe(inventory, "github.* C nothing", 3000, &out);
        buf_release(&out);
        inventory_free(inventory);
        failing_settle(&failing, status);
    }
}

/* ---- threads ---- */

static char *expected[sizeof questions / sizeof *questions];

static void *ask_often(void *context)
{
    Inventory *inventory = context;

    for (size_t i = 0; i < 400; i++) {
        size_t which =
            (i * 7 + (size_t)pthread_self() / 64) % (sizeof questions / sizeof *questions);
        char *text = ask(inventory, inventory_search, questions[which], 3000);
        assert_string_equal(text, expected[which]);
        free(text);
        free(ask(inventory, inventory_describe, names[i % (sizeof names / sizeof *names)], 3000));
    }
    return NULL;
}

static void test_threads(void **state)
{
    Inventory *inventory = NULL;
    pthread_t threads[4];

    (void)state;
    assert_int_equal(make(memory_default(), declared, sizeof declared - 1, &inventory), TN_OK);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        expected[i] = ask(inventory, inventory_search, questions[i], 3000);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_often, inventory), 0);
    for (size_t i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        free(expected[i]);
    inventory_free(inventory);
}

/* ---- the engine's doors ---- */

static void answer_nothing(void *user, tn_call *call)
{
    (void)user;
    (void)call;
}

static void *search_engine(void *context)
{
    char *text = NULL;
    size_t length = 0;

    assert_int_equal(tn_engine_search(context, "issue", 0, NULL, &text, &length), TN_OK);
    assert_int_equal(length, strlen(text));
    return text;
}

static void test_engine(void **state)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine = NULL;
    tn_program *program = NULL;
    pthread_t threads[4];
    char *text = NULL;
    size_t length = 0;

    (void)state;
    options.checker = TN_CHECKER_NONE;
    assert_int_equal(tn_engine_new(&options, &engine), TN_OK);
    assert_int_equal(tn_engine_add_function(engine, "hub.send", answer_nothing, NULL, 0), TN_OK);
    assert_int_equal(tn_engine_add_declarations(engine, "a.d.ts", declared, sizeof declared - 1),
                     TN_OK);
    assert_int_equal(tn_engine_search(engine, "", 0, NULL, &text, &length), TN_ERR_STATE);
    assert_int_equal(tn_engine_describe(engine, "hub", 0, NULL, &text, &length), TN_ERR_STATE);
    assert_null(text);
    assert_int_equal(tn_program_new(engine, "1", 1, NULL, &program), TN_OK);
    tn_program_free(program);
    for (size_t i = 0; i < 4; i++) /* the first of them makes the inventory */
        assert_int_equal(pthread_create(&threads[i], NULL, search_engine, engine), 0);
    for (size_t i = 0; i < 4; i++) {
        void *found = NULL;
        pthread_join(threads[i], &found);
        assert_non_null(strstr(found, "github.createIssue(input: NewIssue): Promise<Issue>"));
        tn_text_free(found);
    }
    assert_int_equal(tn_engine_describe(engine, "hub.send", 0, NULL, &text, &length), TN_OK);
    assert_non_null(strstr(text, "function send(...args: any[]): Promise<any>;"));
    tn_text_free(text);
    assert_int_equal(tn_engine_search(engine, NULL, UINT32_MAX, NULL, &text, &length), TN_OK);
    assert_non_null(strstr(text, "COMPLETE\n"));
    tn_text_free(text);
    tn_engine_free(engine);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_budgets), cmocka_unit_test(test_broken),
        cmocka_unit_test(test_huge),    cmocka_unit_test(test_refusals),
        cmocka_unit_test(test_threads), cmocka_unit_test(test_engine),
    };

    RUN_TESTS(tests);
}
