/*
 * Programs in TypeScript by the public interface: what is read, checked, found and run; with the
 * real compiler where its path is in TENON_TSC, and without one.
 */
#include <pthread.h>

#include "try.h"

static tn_engine *engine_with(const tn_engine_options *chosen, void (*setup)(tn_engine *))
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    tn_engine *engine = NULL;

    if (!chosen)
        chosen = &options;
    if (CHECK(tn_engine_new(chosen, &engine) == TN_OK) && setup)
        setup(engine);
    return engine;
}

static tn_program *program_of(tn_engine *engine, const char *text, const char *name)
{
    tn_program_options options = TN_INIT(tn_program_options);
    tn_program *program = NULL;

    options.name = name;
    CHECK(tn_program_new(engine, text, strlen(text), &options, &program) == TN_OK);
    return program;
}

static const tn_finding *finding_of(const tn_program *program, const char *code)
{
    for (size_t i = 0; i < tn_program_finding_count(program); i++) {
        if (strcmp(tn_program_finding(program, i)->code, code) == 0)
            return tn_program_finding(program, i);
    }
    return NULL;
}

static bool gives(tn_program *program, const char *json)
{
    tn_outcome *outcome = NULL;
    char *text = NULL;
    size_t length;
    bool good = false;

    if (!CHECK(tn_run_program(program, NULL, &outcome) == TN_OK))
        return false;
    if (tn_value_json(tn_outcome_value(outcome), &text, &length) == TN_OK)
        good = strcmp(text, json) == 0;
    if (!good)
        (void)fprintf(stderr, "    %s, and not %s\n", text ? text : "nothing", json);
    tn_text_free(text);
    tn_outcome_free(outcome);
    return good;
}

/* ---- types out ---- */

static void erased(void)
{
    static const char text[] =
        "interface A { n: number }\n"
        "const list: A[] = [{ n: 1 }, { n: 2 } as A];\n"
        "enum Size { Small, Large = 7 }\n"
        "class P { constructor(readonly n: number) {} }\n"
        "return [list.map((a): number => a.n), Size.Large, Size[0], new P(3).n];";
    tn_engine *engine = engine_with(NULL, NULL);
    tn_program *program = program_of(engine, text, "orders.ts");
    size_t length = 0;
    const char *javascript = tn_program_javascript(program, &length);

    CHECK(tn_program_ready(program));
    CHECK(gives(program, "[[1,2],7,\"Small\",3]"));
    CHECK(length >= sizeof text - 1 && strlen(javascript) == length);
    /* what stays stands where it stood */
    CHECK(strstr(javascript, "\nconst list      = [{ n: 1 }, { n: 2 }     ];\n"));
    CHECK(strncmp(javascript, "                         \n", 26) == 0);
    tn_program_free(program);
    /* the same text as JavaScript is none */
    program = program_of(engine, text, "orders.js");
    CHECK(!tn_program_ready(program));
    CHECK(*tn_program_javascript(program, &length) == 0 && length == 0);
    tn_program_free(program);
    tn_engine_free(engine);
}

/* An error on a line that was lengthened, and after one that was. */
static void places(void)
{
    tn_engine *engine = engine_with(NULL, NULL);
    tn_program *program =
        program_of(engine, "enum E { A, B = 'b'.length } throw new Error(`${E.A}`);", "a.ts");
    tn_outcome *outcome = NULL;

    CHECK(tn_program_ready(program));
    if (CHECK(tn_run_program(program, NULL, &outcome) == TN_OK) &&
        CHECK(tn_outcome_error(outcome) != NULL)) {
        CHECK(tn_outcome_error(outcome)->line == 1);
        CHECK_SAY(tn_outcome_error(outcome)->column == 39, "column %u",
                  tn_outcome_error(outcome)->column);
        CHECK(strstr(tn_outcome_error(outcome)->frame, "'b'.length } throw new Error"));
        CHECK(strstr(tn_outcome_error(outcome)->stack, "a.ts:1:39"));
    }
    tn_outcome_free(outcome);
    tn_program_free(program);
    program = program_of(engine, "enum E { A }\nlet n: number = 1; throw new Error('y');", "a.ts");
    if (CHECK(tn_run_program(program, NULL, &outcome) == TN_OK) &&
        CHECK(tn_outcome_error(outcome) != NULL)) {
        CHECK(tn_outcome_error(outcome)->line == 2);
        CHECK_SAY(tn_outcome_error(outcome)->column == 30, "column %u",
                  tn_outcome_error(outcome)->column);
    }
    tn_outcome_free(outcome);
    tn_program_free(program);
    tn_engine_free(engine);
}

static void syntax(void)
{
    tn_engine *engine = engine_with(NULL, NULL);
    tn_program *program = program_of(engine, "const a = (1 + 2;\nreturn a", "a.ts");
    const tn_finding *finding = finding_of(program, "TS1005");
    tn_outcome *outcome = NULL;

    CHECK(!tn_program_ready(program));
    if (CHECK(finding != NULL))
        CHECK_SAY(finding->line == 1 && finding->column == 17 && finding->file == NULL, "%u:%u",
                  finding->line, finding->column);
    if (CHECK(tn_run_program(program, NULL, &outcome) == TN_OK))
        CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_REFUSED &&
              tn_outcome_finding_count(outcome) == tn_program_finding_count(program));
    tn_outcome_free(outcome);
    CHECK(tn_program_finding(program, tn_program_finding_count(program)) == NULL);
    tn_program_free(program);
    tn_engine_free(engine);
}

/* ---- advice ---- */

static void answer(void *user, tn_call *call)
{
    (void)user;
    tn_put_int(tn_call_result(call), 5);
}

static void add_packages(tn_engine *engine)
{
    CHECK(tn_engine_add_function(engine, "github.listIssues", answer, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "github.now", answer, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "tools.test.echo", answer, NULL, 0) == TN_OK);
}

typedef struct Advised {
    const char *text, *code; /* "": none at all */
    unsigned line, column;
    const char *says;
} Advised;

static void advice(void)
{
    static const Advised cases[] = {
        {"github.listIssues(); return 1;", "TN1102", 1, 1, "await"},
        {"await github.listIssues(); return 1;", "", 0, 0, NULL},
        {"void github.listIssues(); return 1;", "", 0, 0, NULL},
        {"github.now(); return 1;", "", 0, 0, NULL},
        {"const github = { listIssues() {} }; github.listIssues(); return 1;", "", 0, 0, NULL},
        {"async function f() {}\nf();\nreturn 2;", "TN1102", 2, 1, NULL},
        {"async function f() {}\nf();", "", 0, 0, NULL},
        {"async function f() {}\nf().catch(() => {});\nreturn 2;", "", 0, 0, NULL},
        {"const f = async () => 1; function g(f: () => void) { f(); } g(f); return 1;", "", 0, 0,
         NULL},
        {"Promise.all([github.listIssues()]); return 1;", "TN1102", 1, 1, NULL},
        {"return `n: ${github.listIssues()}`;", "TN1103", 1, 14, NULL},
        {"return 'n: ' + tools.test.echo(1);", "TN1103", 1, 16, NULL},
        {"return `n: ${await github.listIssues()}`;", "", 0, 0, NULL},
        {"import { listIssues } from 'githup'; return listIssues();", "TN1104", 1, 28,
         "\"github\""},
        {"import { x } from 'lodash'; return x;", "TN1104", 1, 19, "lodash"},
        {"import { listIsues } from 'github'; return listIsues();", "TN1105", 1, 10, "listIssues"},
        {"import { listIssues as list } from 'github';\nlist();\nreturn 1;", "TN1102", 2, 1, NULL},
        {"import { listIssues } from 'github'; return listIssues();", "", 0, 0, NULL},
        {"return 1;\nconsole.log(2);", "TN1106", 2, 1, NULL},
        {"return f();\nfunction f() { return 1; }", "", 0, 0, NULL},
        {"async function main() { return 3; }", "TN1107", 1, 16, "await main()"},
        {"function f() { return f; }", "", 0, 0, NULL},
        {"export function f() { return 1; }", "", 0, 0, NULL},
        {"declare const q: number;\nreturn q + 1;", "TN1109", 1, 15, "`q`"},
        {"declare function f(): void, g(): void;", "TS1144", 1, 27, NULL},
        {"declare function f(): void;\nf();", "TN1109", 1, 18, "`f`"},
        {"declare namespace N { const a: 1; }\nreturn N.a;", "TN1109", 1, 19, "`N`"},
        {"declare class C { m(): void }\nclass D extends C {}\nreturn new D();", "TN1109", 1, 15,
         NULL},
        {"declare const q: { a: 1 };\nreturn 1 as unknown as typeof q;", "", 0, 0, NULL},
        {"declare const q: number;\nreturn { q: 1 }.q;", "", 0, 0, NULL},
        {"declare const q: number;\nreturn { q };", "TN1109", 1, 15, NULL},
        {"declare const q: number;\nreturn typeof q === 'undefined' ? 0 : q;", "", 0, 0, NULL},
        {"declare const q: number;\nfunction f(q: number) { return q; }\nreturn f(1);", "", 0, 0,
         NULL},
        {"declare const github: any, console: any;\nreturn [typeof github, console, Map];", "", 0,
         0, NULL},
        {"declare const github: any, console: any, Map: any;\nreturn [github, console, Map];", "",
         0, 0, NULL},
        {"declare global { var q: number; }\nglobalThis.q = 1;\nexport default 1;", "", 0, 0, NULL},
        {"declare class C {}\ninterface D extends C {}\nclass E implements C {}\nreturn 1;", "", 0,
         0, NULL},
        {"declare module 'x' { const q: 1; }\nreturn 1;", "", 0, 0, NULL},
    };
    tn_engine *engine = engine_with(NULL, add_packages);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const Advised *one = &cases[i];
        tn_program *program = program_of(engine, one->text, "a.ts");
        const tn_finding *finding = one->code[0] ? finding_of(program, one->code) : NULL;
        if (!one->code[0])
            CHECK_SAY(tn_program_finding_count(program) == 0, "%s: %s", one->text,
                      tn_program_finding(program, 0)->code);
        else
            CHECK_SAY(finding && finding->line == one->line && finding->column == one->column &&
                          (!one->says || strstr(finding->message, one->says)),
                      "%s: %s %u:%u %s", one->text, finding ? finding->code : "nothing",
                      finding ? finding->line : 0, finding ? finding->column : 0,
                      finding ? finding->message : "");
        tn_program_free(program);
    }
    tn_engine_free(engine);
}

/* A text that begins with a brace is an object if it can be one. */
static void objects(void)
{
    static const char *const cases[][2] = {
        {"{ a: 1 }", "{\"a\":1}"},
        {"{ \"a\": 1, \"b\": [1, 2] }", "{\"a\":1,\"b\":[1,2]}"},
        {"// data\n{ a: 1 as number, get b() { return 2; } }.a", "1"},
        {"{ ...{ a: 1 }, b: 2 }", "{\"a\":1,\"b\":2}"},
        {"{ const x: number = 1; x + 1; }", "2"},
        {"```ts\n{ a: 1, b: 2 as const }\n```", "{\"a\":1,\"b\":2}"},
    };
    tn_engine *engine = engine_with(NULL, NULL);

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tn_program *program = program_of(engine, cases[i][0], "a.ts");
        CHECK_SAY(tn_program_ready(program), "%s", cases[i][0]);
        CHECK_SAY(gives(program, cases[i][1]), "%s", cases[i][0]);
        tn_program_free(program);
    }
    tn_engine_free(engine);
}

/* ---- small stacks, odd text ---- */

static void *read_deep(void *engine)
{
    static char text[60000];
    size_t half = sizeof text / 2 - 1;

    memset(text, '(', half);
    memset(text + half, ')', half);
    tn_program *program = program_of(engine, text, "deep.ts");
    CHECK(!tn_program_ready(program) && tn_program_finding_count(program) > 0);
    tn_program_free(program);
    memset(text, '[', half);
    program = program_of(engine, text, "deep.ts");
    CHECK(!tn_program_ready(program));
    tn_program_free(program);
    program = program_of(engine, "let a: number = ((((((((((1))))))))));\nreturn a;", "deep.ts");
    CHECK(gives(program, "1"));
    tn_program_free(program);
    return NULL;
}

static void small_stack(void)
{
    tn_engine *engine = engine_with(NULL, NULL);
    pthread_attr_t attributes;
    pthread_t thread;

    CHECK(pthread_attr_init(&attributes) == 0);
    CHECK(pthread_attr_setstacksize(&attributes, 256 * 1024) == 0);
    if (CHECK(pthread_create(&thread, &attributes, read_deep, engine) == 0))
        (void)pthread_join(thread, NULL);
    (void)pthread_attr_destroy(&attributes);
    tn_engine_free(engine);
}

/* ---- the compiler, and none ---- */

static void no_compiler(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);
    static const char wrong[] = "const n: number = 'x'; return n;";

    options.compiler = "/no/such/compiler";
    tn_engine *engine = engine_with(&options, NULL);
    tn_program *program = program_of(engine, wrong, "a.ts");
    const tn_finding *finding = finding_of(program, "TN1201");
    CHECK(tn_program_ready(program) && finding && finding->severity == TN_SEVERITY_INFO);
    CHECK(gives(program, "\"x\""));
    tn_program_free(program);
    tn_engine_free(engine);

    options.checker = TN_CHECKER_TSC;
    engine = engine_with(&options, NULL);
    program = program_of(engine, wrong, "a.ts");
    finding = finding_of(program, "TN1201");
    CHECK(!tn_program_ready(program) && finding && finding->severity == TN_SEVERITY_ERROR);
    tn_program_free(program);
    tn_engine_free(engine);

    options.checker = TN_CHECKER_NONE;
    engine = engine_with(&options, NULL);
    program = program_of(engine, wrong, "a.ts");
    CHECK(tn_program_ready(program) && tn_program_finding_count(program) == 0);
    tn_program_free(program);
    tn_engine_free(engine);
    options.checker = (tn_checker)9;
    CHECK(tn_engine_new(&options, &engine) == TN_ERR_ARGUMENT);
}

static void declarations(void)
{
    static const char text[] =
        "declare namespace github {\n"
        "  function listIssues(o: { repo: string }): Promise<{ n: number }[]>;\n}\n";
    tn_engine *engine = engine_with(NULL, add_packages);
    tn_program *program;

    CHECK(tn_engine_add_declarations(engine, "github.d.ts", text, sizeof text - 1) == TN_OK);
    CHECK(tn_engine_add_declarations(engine, "github.d.ts", text, sizeof text - 1) == TN_ERR_STATE);
    CHECK(tn_engine_add_declarations(engine, "", text, sizeof text - 1) == TN_ERR_ARGUMENT);
    program = program_of(engine, "1", "a.ts");
    CHECK(tn_engine_add_declarations(engine, "late.d.ts", "", 0) == TN_ERR_STATE);
    tn_program_free(program);
    tn_engine_free(engine);
}

/* A package that is declared only: right to import, and not to be run. */
static void declared_only(void)
{
    static const char text[] =
        "declare module \"ledger\" { export function total(): Promise<number>; }";
    tn_engine *engine = engine_with(NULL, NULL);
    tn_outcome *outcome = NULL;

    CHECK(tn_engine_add_declarations(engine, "ledger.d.ts", text, sizeof text - 1) == TN_OK);
    tn_program *program =
        program_of(engine, "import { total } from 'ledger'; return await total();", "a.ts");
    CHECK(!tn_program_ready(program) && tn_program_finding_count(program) == 1);
    if (CHECK(finding_of(program, "TN1108") != NULL))
        CHECK(finding_of(program, "TN1108")->severity == TN_SEVERITY_WARNING);
    if (CHECK(tn_run_program(program, NULL, &outcome) == TN_OK))
        CHECK(tn_outcome_status_of(outcome) == TN_OUTCOME_REFUSED &&
              strcmp(tn_outcome_error(outcome)->code, "TN1108") == 0);
    tn_outcome_free(outcome);
    tn_program_free(program);
    tn_engine_free(engine);
}

/* As the program runs, too, where it is sure: `await import("ledger")`. */
static void declared_and_imported_late(void)
{
    static const char text[] =
        "declare module \"ledger\" { export function total(): Promise<number>; }";
    static const struct {
        const char *text;
        bool refused;
    } cases[] = {
        {"return await (await import('ledger')).total();", true},
        {"type A = 1;\nconst { total } = await import('ledger');\nreturn total();", true},
        {"export default [await import(('ledger'))];", true},
        {"return `${(await import('ledger')).total}`;", true},
        {"let m; try { m = await import('ledger'); } catch { m = 1; }\nreturn m;", false},
        {"if (1 > 2) await import('ledger');\nreturn 1;", false},
        {"const m = await import('ledger').catch(() => 1);\nreturn m;", false},
        {"const f = async () => await import('ledger');\nreturn 1;", false},
        {"for (const a of [1]) return a;\nawait import('ledger');", false},
        {"const a: any = null;\nreturn a?.[await import('ledger')] ?? 1;", false},
    };
    tn_engine *engine = engine_with(NULL, NULL);

    CHECK(tn_engine_add_declarations(engine, "ledger.d.ts", text, sizeof text - 1) == TN_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tn_program *program = program_of(engine, cases[i].text, "a.ts");
        const tn_finding *found = finding_of(program, "TN1108");
        CHECK_SAY(tn_program_ready(program) != cases[i].refused, "%s", cases[i].text);
        CHECK_SAY((found != NULL) == cases[i].refused, "%s", cases[i].text);
        CHECK(!found || found->severity == TN_SEVERITY_WARNING);
        tn_program_free(program);
    }
    tn_engine_free(engine);
}

static void add_github(tn_engine *engine)
{
    static const char text[] =
        "declare namespace github {\n"
        "  function listIssues(o: { repo: string }): Promise<{ n: number }[]>;\n}\n";

    add_packages(engine);
    CHECK(tn_engine_add_declarations(engine, "github.d.ts", text, sizeof text - 1) == TN_OK);
}

static void checked(void)
{
    tn_engine_options options = TN_INIT(tn_engine_options);

    options.compiler = getenv("TENON_TSC");
    options.checker = TN_CHECKER_TSC;
    options.check_ms = 20000; /* sanitizers and busy machines */
    if (!options.compiler || !options.compiler[0])
        return;
    tn_engine *engine = engine_with(&options, add_github);
    tn_program *program = program_of(
        engine, "const i = await github.listIssues({ repo: 'a' });\nreturn i[0].m;", "a.ts");
    const tn_finding *finding = finding_of(program, "TS2339");
    CHECK(!tn_program_ready(program));
    if (CHECK(finding != NULL))
        CHECK_SAY(finding->line == 2 && finding->column == 13, "%u:%u", finding->line,
                  finding->column);
    tn_program_free(program);
    program =
        program_of(engine, "const i = await github.listIssues({ repo: 'a' });\nreturn i;", "a.ts");
    CHECK_SAY(tn_program_ready(program), "%s", tn_program_finding(program, 0)->message);
    CHECK(gives(program, "5"));
    tn_program_free(program);

    /* what is asked of a program */
    tn_program_options asked = TN_INIT(tn_program_options);
    tn_export render = {"render", "(name: string) => string"};
    static const char text[] = "export function render(name: number): number { return name; }";
    asked.name = "a.ts";
    asked.exports = &render;
    asked.export_count = 1;
    CHECK(tn_program_new(engine, text, sizeof text - 1, &asked, &program) == TN_OK);
    CHECK(!tn_program_ready(program));
    tn_program_free(program);
    asked.export_count = 0;
    asked.expect = "string";
    CHECK(tn_program_new(engine, "return 5;", 9, &asked, &program) == TN_OK);
    CHECK(!tn_program_ready(program));
    tn_program_free(program);
    CHECK(tn_program_new(engine, "return 'x';", 11, &asked, &program) == TN_OK);
    CHECK(tn_program_ready(program) && gives(program, "\"x\""));
    tn_program_free(program);
    /* no comment of the program's switches that off */
    static const char ignoring[] = "// @ts-ignore\nreturn 5;";
    CHECK(tn_program_new(engine, ignoring, sizeof ignoring - 1, &asked, &program) == TN_OK);
    CHECK(!tn_program_ready(program));
    tn_program_free(program);
    asked.unchecked = true;
    CHECK(tn_program_new(engine, "return 5;", 9, &asked, &program) == TN_OK);
    CHECK(tn_program_ready(program));
    tn_program_free(program);
    tn_engine_free(engine);
}

/* ---- contracts ---- */

typedef struct Contracted {
    const char *text, *expect, *export, *input; /* the last two are types of `render`, `rows` */
    const char *code, *file;                    /* "": nothing is found */
    unsigned line, column;
} Contracted;

static tn_engine *checking_engine(void (*setup)(tn_engine *))
{
    tn_engine_options options = TN_INIT(tn_engine_options);

    options.compiler = getenv("TENON_TSC");
    options.checker = TN_CHECKER_TSC;
    options.check_ms = 20000; /* sanitizers and busy machines */
    return options.compiler && options.compiler[0] ? engine_with(&options, setup) : NULL;
}

static void holds(tn_engine *engine, const Contracted *one)
{
    tn_program_options asked = TN_INIT(tn_program_options);
    tn_export render = {"render", one->export};
    tn_input_type rows = {.name = "rows", .type = one->input};
    tn_program *program = NULL;

    asked.name = "a.ts";
    asked.expect = one->expect;
    asked.exports = &render;
    asked.export_count = one->export != NULL;
    asked.inputs = &rows;
    asked.input_count = one->input != NULL;
    if (!CHECK(tn_program_new(engine, one->text, strlen(one->text), &asked, &program) == TN_OK))
        return;
    const tn_finding *first = tn_program_finding(program, 0);
    CHECK_SAY(tn_program_ready(program) == !one->code[0], "%s", one->text);
    CHECK_SAY(strcmp(first ? first->code : "", one->code) == 0, "%s: %s %s", one->text,
              first ? first->code : "nothing", first ? first->message : "");
    if (first && one->code[0]) {
        CHECK_SAY(first->line == one->line && first->column == one->column, "%s: %u:%u", one->text,
                  first->line, first->column);
        CHECK_SAY(!one->file == !first->file && (!one->file || strcmp(one->file, first->file) == 0),
                  "%s: %s", one->text, first->file ? first->file : "the program");
    }
    tn_program_free(program);
}

static void contracts(void)
{
    static const Contracted cases[] = {
        /* types of the program */
        {"interface R { n: number }\nreturn { n: 1 };", "R", NULL, NULL, "", NULL, 0, 0},
        {"interface R { n: number }\nreturn { n: '1' };", "R[]", NULL, NULL, "TS2353", NULL, 2, 10},
        {"class R { m() { return k; } }\nconst k = 1;\nreturn new R();", "R", NULL, NULL, "", NULL,
         0, 0},
        {"class R { m() { return k; } }\nconst k = 1;\nreturn k;", "R", NULL, NULL, "TS2322", NULL,
         3, 1},
        {"enum E { A }\nE.A", "E", NULL, NULL, "", NULL, 0, 0},
        {"interface R { n: number }\nexport const render = (r: R) => '' + r.n;", NULL,
         "(r: R) => string", NULL, "", NULL, 0, 0},
        {"interface R { n: number }\nreturn rows[0].m;", NULL, NULL, "R[]", "TS2339", NULL, 2, 16},
        /* values of last statements */
        {"if (Math.random() > 2) { 5 } else { 'x' }", "number", NULL, NULL, "TS2322", NULL, 1, 37},
        {"if (Math.random() > 2) { 5 } else { 6 }", "number", NULL, NULL, "", NULL, 0, 0},
        {"if (Math.random() > 2) { 5 }", "number", NULL, NULL, "TN1121", NULL, 1, 28},
        {"if (Math.random() > 2) { 5 }", "number | undefined", NULL, NULL, "", NULL, 0, 0},
        {"if (Math.random() > 2) { Promise.resolve(5) } else 6", "number", NULL, NULL, "", NULL, 0,
         0},
        {"5; const later = 'x';", "number", NULL, NULL, "", NULL, 0, 0},
        {"const later = 'x';", "string", NULL, NULL, "TN1121", NULL, 1, 18},
        /* mistakes in the contract itself */
        {"return 1;", "string } ; evil(", NULL, NULL, "TN1124", "the expected type", 1, 6},
        {"return 1;", "any; //", NULL, NULL, "TN1124", "the expected type", 1, 3},
        {"return 1;", "number // a comment", NULL, NULL, "", NULL, 0, 0},
        {"return 1;", "Nope", NULL, NULL, "TN1124", "the expected type", 1, 1},
        {"return 1;", "", NULL, NULL, "TN1124", "the expected type", 1, 1},
        {"export const render = 1;", NULL, "(a: Nope) => void", NULL, "TN1124",
         "the type of export `render`", 1, 5},
        {"return rows;", NULL, NULL, "Array<Nope>", "TN1124", "the type of the input", 1, 7},
        {"return rows;", NULL, NULL, "any } evil(", "TN1124", "the type of the input", 1, 3},
    };
    tn_engine *engine = checking_engine(NULL);

    for (size_t i = 0; engine && i < sizeof cases / sizeof *cases; i++)
        holds(engine, &cases[i]);
    tn_engine_free(engine);
}

/* ---- types that the host makes visible ---- */

static void add_app(tn_engine *engine)
{
    static const char app[] = "declare module \"app\" {\n"
                              "  export interface Stage { run(input: string): Promise<number> }\n"
                              "  export type Level = 'low' | 'high';\n}\n";
    static const char global[] = "interface Step { readonly name: string }\n";

    CHECK(tn_engine_add_declarations(engine, "app.d.ts", app, sizeof app - 1) == TN_OK);
    CHECK(tn_engine_add_declarations(engine, "step.d.ts", global, sizeof global - 1) == TN_OK);
}

typedef struct Visible {
    const char *text, *code; /* "": it runs, and gives */
    const char *gives;
} Visible;

static void app_types(void)
{
    static const Visible cases[] = {
        {"import type { Stage } from 'app';\n"
         "class X implements Stage { async run(i: string) { return i.length; } }\n"
         "return await new X().run('abc');",
         "", "3"},
        {"import { Stage, type Level } from 'app';\nconst l: Level = 'low';\n"
         "const s: Stage = { run: async i => i.length };\nreturn [l, await s.run('a')];",
         "", "[\"low\",1]"},
        {"import * as app from 'app';\nconst l: app.Level = 'high'; return l;", "", "\"high\""},
        {"class S implements Step { name = 'x'; }\nreturn new S().name;", "", "\"x\""},
        {"import { Stage } from 'app';\n"
         "class X implements Stage { async run(i: string) { return i; } }\nreturn 1;",
         "TS2416", NULL},
        {"class S implements Step { name = 5; }\nreturn 1;", "TS2416", NULL},
        {"class S implements Step { nam = 'x'; }\nreturn 1;", "TS2420", NULL},
        {"import { Stag } from 'app';\nlet s: Stag | undefined; return s;", "TS2724", NULL},
        {"import { Stage } from 'app';\nreturn new Stage();", "TS2693", NULL},
        /* as a value: there is nothing */
        {"import * as app from 'app';\nreturn Object.keys(app);", "TN1108", NULL},
        {"import 'app';\nreturn 1;", "TN1108", NULL},
    };
    tn_engine *engine = checking_engine(add_app);

    for (size_t i = 0; engine && i < sizeof cases / sizeof *cases; i++) {
        tn_program *program = program_of(engine, cases[i].text, "a.ts");
        CHECK_SAY(tn_program_ready(program) == !cases[i].code[0], "%s: %s", cases[i].text,
                  tn_program_finding_count(program) ? tn_program_finding(program, 0)->message : "");
        if (cases[i].code[0])
            CHECK_SAY(finding_of(program, cases[i].code) != NULL, "%s", cases[i].text);
        else
            CHECK_SAY(gives(program, cases[i].gives), "%s", cases[i].text);
        tn_program_free(program);
    }
    tn_engine_free(engine);
}

/* Types made from data, for one program. */
static void own_declarations(void)
{
    static const char data[] = "declare module 'app' {\n  export type Color = 'red' | 'green';\n}\n"
                               "interface Order { color: import('app').Color }\n";
    static const char text[] = "import type { Color } from 'app';\nconst c: Color = 'blue';\n"
                               "const o: Order = { color: c };\nreturn o;";
    tn_program_options options = TN_INIT(tn_program_options);
    tn_engine *engine = checking_engine(NULL);
    tn_program *program = NULL;

    if (!engine)
        return;
    options.name = "a.ts";
    options.declarations = data;
    options.expect = "Order";
    CHECK(tn_program_new(engine, text, sizeof text - 1, &options, &program) == TN_OK);
    const tn_finding *finding = finding_of(program, "TS2322");
    CHECK(!tn_program_ready(program) && tn_program_finding_count(program) == 1);
    CHECK(finding && finding->line == 2 && finding->column == 7);
    tn_program_free(program);
    /* a mistake in them names them; the next program does not see them */
    options.declarations = "declare const n: Nope;";
    options.expect = NULL;
    CHECK(tn_program_new(engine, "return 1;", 9, &options, &program) == TN_OK);
    finding = tn_program_finding(program, 0);
    CHECK(finding && finding->file && strcmp(finding->file, "the program's declarations") == 0 &&
          finding->line == 1 && finding->column == 18);
    tn_program_free(program);
    program = program_of(engine, "let o: Order | undefined; return o;", "a.ts");
    CHECK(finding_of(program, "TS2304") != NULL);
    tn_program_free(program);
    tn_engine_free(engine);
}

int main(int argc, char **argv)
{
    return RUN(
        argc, argv, {"erased", erased}, {"places", places}, {"syntax", syntax}, {"advice", advice},
        {"objects", objects}, {"small stack", small_stack}, {"no compiler", no_compiler},
        {"declarations", declarations}, {"declared only", declared_only},
        {"declared only, imported late", declared_and_imported_late}, {"checked", checked},
        {"contracts", contracts}, {"app types", app_types}, {"own declarations", own_declarations});
}
