/*
 * Functions in C that are declared in TypeScript: their arguments are held against the declaration
 * at the call, whoever wrote the program. Of each kind of type what fits and what does not, in the
 * words that the program sees; in every form that a declaration may have; and that nothing fits by
 * mistake, or is refused by mistake, where the declaration is not understood.
 */
#include "try.h"

static unsigned arguments_seen;

static void echo(void *user, tn_call *call)
{
    (void)user;
    arguments_seen = (unsigned)tn_call_count(call);
    if (tn_call_count(call) > 0)
        tn_put_value(tn_call_result(call), tn_call_argument(call, 0));
}

static void open_cursor(void *user, tn_call *call)
{
    tn_put_reference(tn_call_result(call), user, user, NULL);
}

static char cursor_name[] = "Cursor", other_name[] = "Other";

/* An engine whose functions are all of `f`, `g`, `h` of the packages `hub` and `a.b`. */
static const char *declared;

static void add_all(tn_engine *engine)
{
    static const char *const names[] = {"hub.f", "hub.g", "hub.h", "a.b.f", "a.b.g"};
    const tn_method methods[] = {{"next", echo, NULL, 0}, {"skip", echo, NULL, TN_FUNCTION_SYNC}};

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(tn_engine_add_function(engine, names[i], echo, NULL, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "hub.now", echo, NULL, TN_FUNCTION_SYNC) == TN_OK);
    CHECK(tn_engine_add_function(engine, "hub.open", open_cursor, cursor_name, 0) == TN_OK);
    CHECK(tn_engine_add_function(engine, "hub.other", open_cursor, other_name, 0) == TN_OK);
    CHECK(tn_engine_add_interface(engine, "Cursor", methods, 2) == TN_OK);
    CHECK(tn_engine_add_interface(engine, "Other", methods, 1) == TN_OK);
    CHECK(tn_engine_add_declarations(engine, "hub.d.ts", declared, strlen(declared)) == TN_OK);
}

/* A call and what is said of it: "" fits; else a part of the message. */
typedef struct Case {
    const char *call, *said;
} Case;

static void run_cases(const char *declarations, const Case *cases, size_t count)
{
    Try try = {.setup = add_all};
    char program[4000];

    declared = declarations;
    for (size_t i = 0; i < count; i++) {
        (void)snprintf(program, sizeof program,
                       "let said = ''; try { await %s } catch (e) { said = e.code === 'arguments' "
                       "&& e.retryable === false ? e.message : 'other: ' + e.message } said",
                       cases[i].call);
        try_run(&try, program);
        const char *json = try_json(&try);
        bool as_told =
            cases[i].said[0] ? strstr(json, cases[i].said) != NULL : strcmp(json, "\"\"") == 0;
        CHECK_SAY(as_told, "%s\n    says %s%s\n    not  %s", cases[i].call, json,
                  try_error(&try)->message, cases[i].said);
    }
    try_end(&try);
}

#define CASES(declarations, ...)                                                                   \
    run_cases(declarations, (const Case[]){__VA_ARGS__},                                           \
              sizeof((const Case[]){__VA_ARGS__}) / sizeof(Case))

/* One function with one parameter of the type. */
#define TYPE(type, ...)                                                                            \
    CASES("declare namespace hub { function f(x: " type "): Promise<void>; }", __VA_ARGS__)

static void words(void)
{
    CASES("interface Issue { id: number }\n"
          "declare namespace hub {\n"
          "  /** List them. */\n"
          "  function f(q: { repo: string; /* which */ state?: \"open\" | \"closed\" },\n"
          "             page?: number): Promise<Issue[]>;\n"
          "}",
          {"hub.f({repo: 'a'})", ""}, {"hub.f({repo: 'a', state: 'open'}, 2)", ""},
          {"hub.f({repo: 'a', state: undefined}, undefined)", ""},
          {"hub.f({repo: 'a', more: 1})", ""},
          {"hub.f({repo: 5})", "hub.f: q.repo must be string, and is the number 5; it takes (q: { "
                               "repo: string; state?: \\\"open\\\" | \\\"closed\\\" }, page?: "
                               "number)"},
          {"hub.f({})", "hub.f: q.repo must be string, and is missing; it takes"},
          {"hub.f()", "hub.f: q must be an object, and is undefined;"},
          {"hub.f(null)", "hub.f: q must be an object, and is null;"},
          {"hub.f([{repo: 'a'}])", "hub.f: q must be an object, and is an array of 1;"},
          {"hub.f('a')", "hub.f: q must be an object, and is the string \\\"a\\\";"},
          {"hub.f({repo: 'a', state: 'shut'})",
           "hub.f: q.state must be \\\"open\\\" or \\\"closed\\\", and is the string \\\"shut\\\""},
          {"hub.f({repo: 'a', state: null})", "q.state must be"},
          {"hub.f({repo: 'a'}, '2')",
           "hub.f: page must be number or undefined, and is the string \\\"2\\\""});
}

static void primitives(void)
{
    TYPE("string", {"hub.f('')", ""}, {"hub.f('\\ud800')", ""}, {"hub.f(1)", "x must be string"},
         {"hub.f(undefined)", "x must be string"});
    TYPE("number", {"hub.f(1.5)", ""}, {"hub.f(NaN)", ""}, {"hub.f(-0)", ""},
         {"hub.f(1n)", "x must be number, and is a bigint"},
         {"hub.f(true)", "x must be number, and is true"});
    TYPE("boolean", {"hub.f(false)", ""}, {"hub.f(0)", "x must be boolean, and is the number 0"});
    TYPE("bigint", {"hub.f(12345678901234567890n)", ""}, {"hub.f(1)", "x must be bigint"});
    TYPE("null", {"hub.f(null)", ""}, {"hub.f()", "x must be null, and is undefined"});
    TYPE("undefined", {"hub.f()", ""}, {"hub.f(null)", "x must be undefined"});
    TYPE("void", {"hub.f()", ""}, {"hub.f(1)", "x must be undefined"});
    TYPE("never", {"hub.f(1)", "x must be left out"});
    TYPE("unknown", {"hub.f()", ""}, {"hub.f({a: [1n]})", ""});
    TYPE("object", {"hub.f({})", ""}, {"hub.f([])", ""}, {"hub.f(new Date())", ""},
         {"hub.f('a')", "x must be an object"}, {"hub.f(null)", "x must be an object"});
    TYPE("{}", {"hub.f('a')", ""}, {"hub.f([])", ""}, {"hub.f(null)", "x must be an object"});
    TYPE("symbol", {"hub.f(1)", ""});
    TYPE("string | null", {"hub.f(null)", ""}, {"hub.f('')", ""},
         {"hub.f(1)", "x must be string or null"});
}

static void literals(void)
{
    TYPE("'a'", {"hub.f('a')", ""}, {"hub.f('b')", "x must be \\\"a\\\", and is the string"});
    TYPE("1 | -2 | 2.5", {"hub.f(1)", ""}, {"hub.f(-2)", ""}, {"hub.f(2.5)", ""},
         {"hub.f(2)", "must be"}, {"hub.f('1')", "must be"});
    TYPE("0x10", {"hub.f(16)", ""}, {"hub.f(7)", ""}, {"hub.f('')", "must be number"});
    TYPE("true", {"hub.f(true)", ""}, {"hub.f(false)", "x must be true, and is false"});
    TYPE("10n", {"hub.f(10n)", ""}, {"hub.f(10)", "must be bigint"});
    TYPE("`id-${number}`", {"hub.f('id-1')", ""}, {"hub.f('x')", ""},
         {"hub.f(1)", "must be string"});
    TYPE("`a`", {"hub.f('a')", ""}, {"hub.f('b')", "must be"});
    TYPE("'a' | number | null", {"hub.f('a')", ""}, {"hub.f(9)", ""}, {"hub.f(null)", ""},
         {"hub.f('b')", "x must be \\\"a\\\" or number or null"});
}

static void arrays(void)
{
    TYPE("string[]", {"hub.f([])", ""}, {"hub.f(['a', 'b'])", ""},
         {"hub.f(['a', 1])", "x[1] must be string, and is the number 1"},
         {"hub.f('a')", "x must be an array"}, {"hub.f({length: 0})", "x must be an array"},
         {"hub.f(new Set())", "x must be an array, and is a Set"},
         {"hub.f(['a',,])", "x[1] must be string, and is undefined"});
    TYPE("readonly (string | number)[][]", {"hub.f([['a', 1], []])", ""},
         {"hub.f([[], [null]])", "x[1][0] must be string or number, and is null"});
    TYPE("ReadonlyArray<{id: number}>", {"hub.f([{id: 1}])", ""},
         {"hub.f([{id: 1}, {id: '2'}])", "x[1].id must be number"});
    TYPE("[string, number?, ...boolean[]]", {"hub.f(['a'])", ""}, {"hub.f(['a', 1, true])", ""},
         {"hub.f(['a', undefined, true])", ""}, {"hub.f([])", "x must be an array of 1 or more"},
         {"hub.f(['a', 1, 1])", "x[2] must be boolean"}, {"hub.f([1])", "x[0] must be string"});
    TYPE("[lat: number, lng: number]", {"hub.f([1, 2])", ""},
         {"hub.f([1])", "x must be an array of 2, and is an array of 1"},
         {"hub.f([1, 2, 3])", "x must be an array of 2, and is an array of 3"});
    TYPE("[...string[], number]", {"hub.f(['a', 1])", ""}, {"hub.f([1])", ""});
}

static void objects(void)
{
    TYPE("{a: {b?: {c: number}[]}}", {"hub.f({a: {}})", ""}, {"hub.f({a: {b: [{c: 1}]}})", ""},
         {"hub.f({a: {b: [{c: 1}, {}]}})", "x.a.b[1].c must be number, and is missing"},
         {"hub.f({a: {b: {}}})", "x.a.b must be an array, and is an empty object"},
         {"hub.f({a: 1})", "x.a must be an object"});
    TYPE("{'odd name': number; 1: string; [k: string]: unknown}",
         {"hub.f({'odd name': 1, 1: 'a', more: null})", ""},
         {"hub.f({'odd name': '1', 1: 'a'})", "x[\\\"odd name\\\"] must be number"});
    TYPE("{[k: string]: number}", {"hub.f({})", ""}, {"hub.f({a: 1, b: 2})", ""},
         {"hub.f({a: 1, b: '2'})", "x.b must be number"}, {"hub.f([1])", "x must be an object"});
    TYPE("{f(): void; g: () => void; n: number}", {"hub.f({n: 1})", ""},
         {"hub.f({})", "x.n must be number"});
    TYPE("{get n(): number; set n(v: number)}", {"hub.f({n: 1})", ""}, {"hub.f({n: ''})", "x.n"});
    TYPE("{n: any; m: unknown}", {"hub.f({})", ""});
    TYPE("{length: number}", {"hub.f({length: 1})", ""}, {"hub.f([])", ""}, {"hub.f('abc')", ""},
         {"hub.f({})", "x.length must be number"});
    TYPE("{a?: number}", {"hub.f({})", ""}, {"hub.f([])", "must be"}, {"hub.f('s')", "must be"});
    TYPE("{(): void} | (() => void)", {"hub.f(1)", ""});
    TYPE("{message: string}", {"hub.f(new Error('x'))", ""}, {"hub.f({message: 1})", "x.message"});
}

static void unions(void)
{
    TYPE("{kind: 'a'; n: number} | {kind: 'b'; s: string}", {"hub.f({kind: 'a', n: 1})", ""},
         {"hub.f({s: 'x', kind: 'b'})", ""},
         {"hub.f({kind: 'b', s: 1})", "x.s must be string, and is the number 1"},
         {"hub.f({n: 1, kind: 'b'})", "x.s must be string, and is missing"},
         {"hub.f({kind: 'c'})",
          "x.kind must be \\\"a\\\" or \\\"b\\\", and is the string \\\"c\\\""},
         {"hub.f({})", "x.kind must be \\\"a\\\" or \\\"b\\\", and is missing"},
         {"hub.f(1)", "x must be an object, and is the number 1"});
    TYPE("string | {id: number} | {id: number; deep: {a: string}}[]", {"hub.f('')", ""},
         {"hub.f([{id: 1, deep: {a: ''}}])", ""},
         {"hub.f([{id: 1, deep: {a: 1}}])", "x[0].deep.a must be string"},
         {"hub.f(null)", "x must be an object or an array or string, and is null"});
    TYPE("{a: string} & {b: number}", {"hub.f({a: '', b: 1})", ""},
         {"hub.f({a: ''})", "x.b must be number"}, {"hub.f({b: 1})", "x.a must be string"});
    TYPE("string & {__brand: 'id'}", {"hub.f('a')", ""}, {"hub.f(1)", "x must be string"});
    TYPE("(string | number) & {}", {"hub.f('a')", ""}, {"hub.f(1)", ""},
         {"hub.f(true)", "must be"});
    TYPE("{a: 1} & ({b: 2} | {c: 3})", {"hub.f({a: 1, c: 3})", ""}, {"hub.f({a: 1})", "must be"},
         {"hub.f({b: 2})", "x.a must be 1"});
}

static void library(void)
{
    TYPE("Date", {"hub.f(new Date(0))", ""}, {"hub.f(new Date(NaN))", ""},
         {"hub.f('2026')", "x must be a Date, and is the string"}, {"hub.f({})", "must be a Date"});
    TYPE("RegExp | Error", {"hub.f(/a/)", ""}, {"hub.f(new TypeError('x'))", ""},
         {"hub.f('/a/')", "x must be a RegExp"});
    TYPE("Uint8Array", {"hub.f(new Uint8Array(3))", ""}, {"hub.f([1])", "x must be a Uint8Array"},
         {"hub.f(new Int8Array(3))", "x must be a Uint8Array, and is a Int8Array"});
    TYPE("Float64Array | BigInt64Array", {"hub.f(new Float64Array(3))", ""},
         {"hub.f(new BigInt64Array(3))", ""}, {"hub.f(new Float32Array(3))", "must be"});
    TYPE("ArrayBuffer", {"hub.f(new ArrayBuffer(3))", ""}, {"hub.f({})", "x must be bytes"});
    TYPE("Map<string, number[]>", {"hub.f(new Map([['a', [1]]]))", ""},
         {"hub.f(new Map([['a', ['b']]]))", "must be number"},
         {"hub.f(new Map([[1, []]]))", "must be string"},
         {"hub.f({a: [1]})", "x must be a Map, and is an object with \\\"a\\\""});
    TYPE("ReadonlySet<number>", {"hub.f(new Set([1]))", ""},
         {"hub.f(new Set(['1']))", "must be number"}, {"hub.f([1])", "x must be a Set"});
    TYPE("Record<string, {n: number}>", {"hub.f({a: {n: 1}})", ""},
         {"hub.f({a: {}})", "x.a.n must"});
    TYPE("Record<'a' | 'b', number>", {"hub.f({a: 1, b: 2})", ""},
         {"hub.f({a: 1})", "x.b must be number, and is missing"});
    TYPE("Partial<{a: number; b: string}>", {"hub.f({})", ""},
         {"hub.f({b: 1})", "x.b must be string"});
    TYPE("Required<{a?: number}>", {"hub.f({a: 1})", ""}, {"hub.f({})", "x.a must be number"});
    TYPE("Pick<{a: number; b: string}, 'a'>", {"hub.f({a: 1})", ""}, {"hub.f({b: ''})", "x.a"});
    TYPE("Omit<{a: number; b: string}, 'a' | 'z'>", {"hub.f({b: ''})", ""},
         {"hub.f({a: 1})", "x.b"});
    TYPE("Readonly<{a: NonNullable<string | null>}>", {"hub.f({a: ''})", ""},
         {"hub.f({a: null})", "x.a must be string, and is null"});
    TYPE("Exclude<'a' | 'b' | 'c', 'b'>", {"hub.f('a')", ""}, {"hub.f('b')", "must be"});
    TYPE("Array<Partial<Record<'x' | 'y', number>>>", {"hub.f([{}, {y: 1}])", ""},
         {"hub.f([{x: ''}])", "x[0].x must be number"});
    TYPE("{[K in 'a' | 'b']?: K}", {"hub.f({a: 'a'})", ""}, {"hub.f({a: 'b'})", "x.a must be"});
    TYPE("keyof {a: 1; b: 2}", {"hub.f('a')", ""},
         {"hub.f('c')", "must be \\\"a\\\" or \\\"b\\\""});
    TYPE("{a: {n: number}; b: string}['a' | 'b']", {"hub.f('x')", ""}, {"hub.f({n: 1})", ""},
         {"hub.f(1)", "must be"});
    TYPE("{a: number}[][number]", {"hub.f({a: 1})", ""}, {"hub.f({})", "x.a must be number"});
}

/* What is not understood fits anything, and so does what the compiler would let through. */
static void unknown_types(void)
{
    static const char *const types[] = {
        "Nowhere",
        "Nowhere<string>",
        "string extends number ? 1 : 2",
        "typeof globalThis",
        "Iterable<string>",
        "Promise<string>",
        "WeakMap<object, string>",
        "() => void",
        "{new (): void}",
        "ReturnType<() => string>",
        "{[K in string as `x${K}`]: 1}",
        "Parameters<(a: string) => void>[0]",
        "import('nowhere').X",
        "Function",
        "{[K in keyof Nowhere]: string}",
        "Omit<Nowhere, 'a'>",
        "Pick<{a: 1}, Nowhere>",
        "Nowhere['a']",
        "keyof Nowhere",
        "Array<Nowhere>[0]",
        "infer X",
        "this",
    };
    char text[400];

    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        (void)snprintf(text, sizeof text, "declare namespace hub { function f(x: %s): void; }",
                       types[i]);
        CASES(text, {"hub.f(1)", ""}, {"hub.f()", ""}, {"hub.f({a: [null]})", ""});
    }
    CASES("declare class Box { private n: number }\n"
          "declare namespace hub { function f(x: Box | Box[]): void; function g(x): void;\n"
          "  const h: Nowhere; }",
          {"hub.f(1)", ""}, {"hub.g(1)", ""}, {"hub.h(1)", ""});
    CASES("this is no declaration {{{", {"hub.f(1)", ""});
    CASES("declare namespace hub { function f(x: string", {"hub.f('')", ""});
}

static void named_types(void)
{
    CASES("type Id = string | number;\n"
          "interface Base { id: Id }\n"
          "interface Issue extends Base { title: string }\n"
          "interface Issue { labels?: Label[] }\n"
          "type Label = 'bug' | 'feature';\n"
          "declare enum Level { Low = 'low', High = 'high' }\n"
          "declare enum Flag { A = 1, B = 2 }\n"
          "interface Tree<T> { value: T; children: Tree<T>[] }\n"
          "type List<T, U = string> = { head: T; name?: U; tail: List<T, U> | null };\n"
          "declare namespace hub {\n"
          "  interface Local { n: number }\n"
          "  function f(x: Issue | Level | Local): void;\n"
          "  function g(x: Tree<number> | List<boolean>): void;\n"
          "  function h<T extends { id: Id }>(x: T, flag?: Flag): T;\n"
          "}\n",
          {"hub.f({id: 1, title: 'a', labels: ['bug']})", ""}, {"hub.f('low')", ""},
          {"hub.f({n: 1})", ""},
          {"hub.f({id: 1, title: 'a', labels: ['big']})",
           "x.labels[0] must be \\\"bug\\\" or \\\"feature\\\""},
          {"hub.f('mid')", "x must be"}, {"hub.g({value: 1, children: []})", ""},
          {"hub.g({value: 1, children: [{value: 2, children: [{value: 'c', children: []}]}]})",
           "x.children[0].children[0].value must be number"},
          {"hub.g({head: true, tail: {head: false, tail: null}})", ""},
          {"hub.g({head: true, tail: {head: 1, tail: null}})", "x.tail.head must be boolean"},
          {"hub.h({id: 1, more: 2}, 3)", ""},
          {"hub.h({id: true})", "x.id must be string or number"},
          {"hub.h({id: 1}, 'A')", "flag must be number"});
}

/* ---- forms of declarations ---- */

static void forms(void)
{
    const Case cases[] = {{"hub.f('a')", ""},
                          {"hub.f(1)", "hub.f: x must be string, and is the number 1"},
                          {"hub.g(1)", ""},
                          {"hub.g('')", "hub.g: y must be number"}};
    static const char *const texts[] = {
        "declare namespace hub { function f(x: string): void; function g(y: number): void }",
        "declare namespace hub { function f(x: string): void }\n"
        "declare namespace hub { export const g: (y: number) => void }",
        "declare module 'hub' { export function f(x: string): void; function g(y: number): void }",
        "declare module 'hub' { function a(x: string): void; const b: (y: number) => void;\n"
        "  export { a as f, b as g } }",
        "declare const hub: { f(x: string): void; g: (y: number) => void };",
        "interface Hub extends Base { f(x: string): void } interface Base { g: G }\n"
        "type G = (y: number) => void; declare var hub: Hub;",
        "declare const api: { f(x: string): void; g(y: number): void };\n"
        "declare module 'hub' { export default api }",
        "declare namespace api { function f(x: string): void; const g: { (y: number): void } }\n"
        "declare module 'hub' { export = api; }",
        "declare module 'other' { export function f(x: string): void; export type N = number }\n"
        "declare module 'hub' { export { f } from 'other'; import { N } from 'other';\n"
        "  export function g(y: N): void }",
        "declare module 'other' { export function f(x: string): void;\n"
        "  export function g(y: import('types').N): void }\n"
        "declare module 'types' { export type N = number }\n"
        "declare module 'hub' { export * from 'other' }",
        "export {}; declare global { namespace hub { function f(x: string): void;\n"
        "  function g(y: number): void } }",
        "declare namespace api { function f(x: string): void; const g: (y: number) => void }\n"
        "declare namespace hub { const f: typeof api.f; let g: typeof api.g }",
        "import T = hub.Types.N; declare namespace hub { namespace Types { type N = number }\n"
        "  function f(this: void, x: string): void; function g(y: T): void }",
        "\xef\xbb\xbf// a mark\ndeclare namespace hub { function f(x: string): void }\n"
        "declare module 'hub' { export function f(x: string): void }\n"
        "declare namespace hub { function g(y: number): void }",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        run_cases(texts[i], cases, sizeof cases / sizeof *cases);
}

static void nested_packages(void)
{
    static const char *const texts[] = {
        "declare namespace a.b { function f(x: string): void; }",
        "declare namespace a { namespace b { function f(x: string): void } }",
        "declare namespace a { const b: { f(x: string): void } }",
        "declare const a: { b: { f: (x: string) => void } };",
        "declare module 'a.b' { export function f(x: string): void }",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        CASES(texts[i], {"a.b.f('')", ""}, {"a.b.f(1)", "a.b.f: x must be string"},
              {"a.b.g(1)", ""}, {"hub.f(1)", ""});
}

static void overloads(void)
{
    CASES("declare namespace hub {\n"
          "  function f(id: number): void;\n"
          "  function f(q: { name: string; deep: { n: number } }, more?: boolean): void;\n"
          "  const g: { (a: string): void; (a: number, b: number): void };\n"
          "}",
          {"hub.f(1)", ""}, {"hub.f({name: '', deep: {n: 1}}, true)", ""},
          {"hub.f({name: '', deep: {n: ''}})",
           "hub.f: q.deep.n must be number, and is the string \\\"\\\"; it takes (q: {"},
          {"hub.f('x')", "hub.f: id must be number"}, {"hub.g('')", ""}, {"hub.g(1, 2)", ""},
          {"hub.g(1)", "b must be number, and is undefined"});
}

static void parameters(void)
{
    CASES("declare namespace hub {\n"
          "  function f(a: string, ...rest: number[]): void;\n"
          "  function g({ repo }: { repo: string }, [x]: number[]): void;\n"
          "  function h(...args: [string, number?]): void;\n"
          "  function now(n: number): number;\n"
          "}",
          {"hub.f('a')", ""}, {"hub.f('a', 1, 2)", ""},
          {"hub.f('a', 1, '2')", "arguments[2] must be number, and is the string"},
          {"hub.g({repo: 'a'}, [1])", ""},
          {"hub.g({repo: 1}, [])", "arguments[0].repo must be string"},
          {"hub.g({repo: ''}, ['a'])", "arguments[1][0] must be number"}, {"hub.h(1, 2, 3)", ""},
          {"hub.now(1)", ""}, {"hub.now('1')", "hub.now: n must be number"},
          {"Promise.all([1, 2].map(hub.now))", ""});
}

/* As a function in JavaScript sees no more than it has parameters. */
static void too_many(void)
{
    Try try = {.setup = add_all};

    declared = "declare namespace hub { function f(x: string): void; function g(...x: string[]): "
               "void }";
    CHECK(try_gives(&try, "await Promise.all(['a', 'b'].map(hub.f))", "[\"a\",\"b\"]"));
    CHECK(arguments_seen == 1);
    CHECK(try_gives(&try, "await hub.g('a', 'b', 'c')", "\"a\""));
    CHECK(arguments_seen == 3);
    CHECK(try_gives(&try, "await hub.h('a', 'b')", "\"a\""));
    CHECK(arguments_seen == 2);
    try_end(&try);
}

static void host_objects(void)
{
    CASES(
        "interface Cursor { next(step: number): Promise<number>; skip(step: number): number }\n"
        "interface Other { next(step: string): void }\n"
        "declare namespace hub { function f(x: Cursor): void; function g(x: {c: Cursor}[]): void;\n"
        "  function open(): Promise<Cursor>; function other(): Promise<Other> }",
        {"hub.f(await hub.open())", ""}, {"hub.g([{c: await hub.open()}])", ""},
        {"hub.f({})", "x must be a Cursor, and is an empty object"},
        {"hub.f(await hub.other())", "x must be a Cursor, and is a Other"},
        {"hub.g([{c: 1}])", "x[0].c must be a Cursor"}, {"(await hub.open()).next(1)", ""},
        {"(await hub.open()).next('1')", "Cursor.next: step must be number"},
        {"(await hub.open()).skip('1')", "Cursor.skip: step must be number"},
        {"(await hub.other()).next(1)", "Other.next: step must be string"});
}

/* ---- values that are met twice, and that hold themselves ---- */

static void shared(void)
{
    CASES("interface Node { n: number; next?: Node; all?: Node[] }\n"
          "declare namespace hub { function f(x: Node): void; function g(x: Node | string): void;\n"
          "  function h(x: {a: {s: string}; b: {n: number}}): void }",
          {"(() => { const a = {n: 1}; a.next = a; return hub.f(a) })()", ""},
          {"(() => { const a = {n: 1}, b = {n: '2', next: a}; a.next = b; return hub.f(a) })()",
           "x.next.n must be number"},
          {"(() => { const a = {n: 1}; return hub.g({n: 2, all: Array(2000).fill(a)}) })()", ""},
          {"(() => { const a = {n: 'x'}; return hub.g({n: 2, all: [{n: 1}, a, a]}) })()",
           "must be number"},
          {"(() => { const both = {s: '', n: 1}; return hub.h({a: both, b: both}) })()", ""},
          {"(() => { const one = {s: ''}; return hub.h({a: one, b: one}) })()",
           "x.b.n must be number, and is missing"},
          {"(() => { const all = Array.from({length: 3000}, (_, n) => ({n})); return hub.f({n: 1, "
           "all: [...all, ...all]}) })()",
           ""});
}

/* Whatever a program passes, the answer comes soon: a wrong value is never let through. */
static void work(void)
{
    double start_ms = check_now_ms();

    CASES("type T = {a: T; b: T; k: 1} | {a: T; b: T; k: 2} | {a: T; b: T; k: 3} | null;\n"
          "type U = {a: U | null; x?: 1} | {a: U | null; y?: 1} | {a: U | null; z?: 1};\n"
          "declare namespace hub { function f(x: T): void; function g(x: U): void }",
          {"(() => { let t = null; for (let i = 0; i < 14; i++) t = {a: t, b: structuredClone(t), "
           "k: 3}; return hub.f(t) })()",
           ""},
          {"(() => { let t = {a: 1}; for (let i = 0; i < 150; i++) t = {a: t}; return hub.g(t) "
           "})()",
           "hub.g: "},
          {"(() => { let t = null; for (let i = 0; i < 900; i++) t = {a: t, b: null, k: 1}; return "
           "hub.f(t) })()",
           "hub.f: its arguments cannot be held against its type: it is nested more than 200"});
    CHECK_SAY(check_now_ms() - start_ms < 15000, "%.0f ms", check_now_ms() - start_ms);
}

/* ---- declarations that are too much ---- */

static char *repeat(const char *head, const char *piece, size_t count, const char *tail)
{
    size_t bytes = strlen(head) + strlen(piece) * count + strlen(tail) + 1;
    char *text = malloc(bytes), *at = text;

    at += sprintf(at, "%s", head);
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%s", piece);
    (void)sprintf(at, "%s", tail);
    return text;
}

static void hostile(void)
{
    static const struct {
        const char *head, *piece, *tail;
        size_t count;
    } texts[] = {
        {"declare namespace hub { function f(x: ", "{a?:", "", 390},
        {"declare namespace hub { function f(x: ", "(", "", 100000},
        {"declare namespace hub { function f(x: string", "[]", "): void }", 5000},
        {"declare namespace hub { function f(x: 1", "|2", "): void }", 50000},
        {"declare namespace hub { function f(x: {", "a: 1;", "}): void }", 5000},
        {"declare namespace hub { ", "function f(x: string): void;", "}", 5000},
        {"declare ", "namespace hub { ", "function f(x: 1): void", 300},
    };
    static const char *const circles[] = {
        "type A = A; declare namespace hub { function f(x: A): void }",
        "type A = B; type B = A; declare namespace hub { function f(x: A | string): void }",
        "type A = A | A[]; declare namespace hub { function f(x: A): void }",
        "interface A extends A {} declare namespace hub { function f(x: A): void }",
        "interface A extends B { a: A } interface B extends A { b: B } declare namespace hub { "
        "function f(x: A): void }",
        "type A<T> = { x?: A<T[]>; y?: A<Set<T>>; z?: A<Map<T, T>> }; declare namespace hub { "
        "function f(x: A<string>): void }",
        "type A<T> = [A<[T]>?, A<[T, T]>?, A<Set<T>>?]; declare namespace hub { function f(x: A<1>)"
        ": void }",
        "type A = Partial<A>; type B = keyof B; type C = C['c']; declare namespace hub { function "
        "f(x: A | B | C): void }",
        "declare namespace hub { import f = hub.f; export { f as f, g as f, f as g } } declare "
        "module 'hub' { export * from 'hub'; export = hub; export { f } from 'hub' }",
        "declare const hub: typeof hub; declare const a: A; interface A { b: A; f: A }",
        "type F = F; declare namespace hub { const f: F; function g<T extends T>(x: T): void }",
    };
    const Case any = {"hub.f([])", NULL};
    char *text;

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        Try try = {.setup = add_all};
        declared = text = repeat(texts[i].head, texts[i].piece, texts[i].count, texts[i].tail);
        try_run(&try, "try { await hub.f([]) } catch {} 1");
        CHECK(try_ok(&try));
        try_end(&try);
        free(text);
    }
    for (size_t i = 0; i < sizeof circles / sizeof *circles; i++) {
        Try try = {.setup = add_all};
        declared = circles[i];
        (void)any;
        CHECK(try_gives(&try, "try { await hub.f({}) } catch (e) { e.code }  1", "1"));
        try_end(&try);
    }
}

int main(int argc, char **argv)
{
    return RUN(argc, argv, {"words", words}, {"primitives", primitives}, {"literals", literals},
               {"arrays", arrays}, {"objects", objects}, {"unions", unions}, {"library", library},
               {"unknown_types", unknown_types}, {"named_types", named_types}, {"forms", forms},
               {"nested_packages", nested_packages}, {"overloads", overloads},
               {"parameters", parameters}, {"too_many", too_many}, {"host_objects", host_objects},
               {"shared", shared}, {"work", work}, {"hostile", hostile});
}
