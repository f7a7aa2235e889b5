/*
 * Do the grammar's rules (grammar*.c) say only what the TypeScript compiler's checker says too?
 *
 *   grammar.mjs --dump PROGRAM [--modules DIR]
 *
 * Of the snippets below, each finding must be the checker's, and of the codes in EXACT none may be
 * missing. Of what test262-parser-tests lets pass, and of mutations by a token, each finding must be
 * the checker's: a program that is right is never refused. The last line is "N passed, N failed".
 *
 * In the environment:
 *   TENON_SYNTAX_GRAMMAR   how many texts and mutations (1200)
 *   TENON_SYNTAX_SEED      what they are drawn with (1)
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Dump } from './client.mjs';
import { readText, test262Files } from './corpora.mjs';
import { mutate, randomFrom, tokenise } from './mutate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options } = parseArgs({
    options: { dump: { type: 'string' }, modules: { type: 'string' } } });
const modules = options.modules ?? execFileSync(join(here, 'fetch'), { encoding: 'utf8' }).trim();
const ts = createRequire(resolve(modules, 'x'))('typescript');

const EXACT = new Set([1036, 1039, 1117, 1118, 1119, 1136, 1183, 1186, 1206, 1245, 1249, 1254, 1267,
                       1318, 1539, 2364, 2462, 2487, 2701, 2777, 2778, 2779, 2781]);

const SNIPPETS = [
    '({1:2,1.0:3})',
    '({0x1:2,1:3})',
    '({"1":2,1:3,1e0:4,[1]:5,[1.0]:6})',
    '({1n:2,1:3})',
    `({0b11:1,3:2,'3':4,1_0:1,10:1,.5:1,0.5:2,1e21:1,'1e+21':2,0xFFFFFFFFFFFFFFFFFF:1,4722366482869645213695:1, 9007199254740993:1,9007199254740992:2})`,
    'x=1;[1,2]=3;f()=4;(a)=3;1=2;({}=1);[]=[];++1;--a.b;this=3;(a,b)=3;',
    'for (f() of x);for (1 in x);for (a.b of x);for(a+b of x);',
    'declare namespace N { x = 1; if (1) {} }',
    'declare namespace N { { x = 1; } { y = 1 } ; }',
    'declare function f() { { a=1 } }',
    'declare function f() { if (1) { a=1; b=2 } else c=1; for(;;){d=1} }',
    'declare const a = 5, b = "x", c = f(), d: number = 5, e = -5, g = 1n, i = true, ' +
        'k=null, l=`a`, m=-1n, n="a"+"b", o=`a${1}`, p=[1], q={}, r=x=>x, s=-(1), t=+1;',
    'declare let a = 5; declare var b = 1, c: number = 2; declare let {d} = {d:1}; declare ' +
        'const [e] = [1]',
    'declare class A { a = 1; m() {} constructor() {} static { } get x() { return 1 } ' +
        'readonly r = 5; static readonly s = "x"; set y(v) {} readonly t: number = 1; readonly ' +
        'u = f(); static { x = 1 } *g() {} async h() {} }',
    'class A { declare a = 1; declare readonly b = 2; declare readonly c: number = 3; ' +
        'declare static d = 1 }',
    'abstract class A { abstract m() {} abstract a = 1; abstract get x() { return 1 } ' +
        'abstract set x(v) {} abstract async n() {} abstract accessor z = 1 }',
    'interface I { get x() { return 1 }; set x(v) {} }',
    'type T = { get x() { return 1 } }',
    '@d function f() {}',
    'export @d function f() {}',
    '@d export function f() {}',
    '@d @e const x = 1;',
    '@d interface I {}',
    '@d enum E {}',
    '@d abstract class Q {}',
    'class A { @d constructor() {} @d m(@d p) {}  @d static {} }',
    'class A { @d [k: string]: any; @d get x() { return 1 } @d n(): void; n() {} @d ' +
        'declare q; @d readonly z = 1; @d static w = 1; @d accessor v = 1 }',
    'abstract class A { @d abstract a; @d abstract m(); @d abstract get x() }',
    'declare class A { @d a; @d m(); @d get x(); }',
    '@d class A {}',
    '@d export class B {}',
    'export @d class C {}',
    'x = @d class {};',
    '@d type T = 1;',
    '@d namespace N {}',
    '@d export default class {}',
    '@d declare class A {}',
    'function f(@d a, @e b) {}',
    '(@d a) => 1',
    'class A { constructor(@d private a) {} }',
    'a?.b = 1; a?.b++; for (a?.b of c); a?.b ||= 1; [a?.b] = c; ({x: a?.b} = c); ({...a?.b} = c)',
    'a?.[0] = 1; (a?.b) = 1; a?.b!.c = 1; (a?.b).c = 1; a?.().b = 1; a!.b = 1; (a as any) ' +
        '= 1; <any>a = 1; (a satisfies any) = 2; (a.b!) = 1',
    '({...{}} = c); ({...[]} = c); [...[a]] = c; [...f()] = c; ({a: f()} = c); ({a: 1} = c);[1]=c;',
    '({m(){}} = c); ({get x() {return 1}} = c)',
    '[...a, b] = c; [...a,] = c; [...a = 1] = c; ({...a, b} = c); [, a, , ...b] = c; ({a, ' +
        'b = 1, c: d, e: f = 2, ["g"]: h, i: [j], k: {l}} = m)',
    '[a = 1, [b] = [2], {c} = {}, f() = 1] = d; [(a)] = b; [(a = 1)] = b; ({a: (b)} = c); ' +
        '({a: (b.c)} = c); ({a: ({})} = c); [([])] = c',
    'for ({a} in b); for ([a] in b); for ({a} of b); for ([a, f()] of b); for (a = 1 of b);',
    'for (a in b); for (let x of y); for (var z in w); for (this of x); for (super.a of x);',
    'new.target = 1',
    'import.meta = 1; export {}',
    'f() += 1; 1 += 2; a += 1; f() &&= 1; (f()) = 1; `a` = 1; /a/ = 1; a++ = 1; async () ' +
        '=> 1; function(){} ',
    '++a++; --1; 1++; (a)++; (1)++; a!++; ++(a.b); -1; ++-1; a++; ++this; --f()',
    'x = y = 1; x = (y = 1); (x = y) = 1; [x = y] = 1; a = b ? c : d; await = 1; yield = 1',
    'class A { m() { super.x = 1; super = 1; this.y = 1; this.#z = 1; this?.#z = 1 } #z }',
    'enum E { A = 1 } declare const x = E.A; declare enum F { a = 1, b = f() }',
    'declare module "m" { export const a = 1; export let b = 2; x = 1; ; ; }',
    'declare global { x = 1 } export {}',
    'declare namespace N { function f() {} const a = 1; class B { m() {} } ; export default 1 }',
    'declare namespace N { namespace M { x = 1 } ; y = 1 }',
    'declare namespace N { while(1); return; throw 1; label: x; debugger; try {} catch {} ' +
        'switch(1){} break; do ; while(1) with(a) b }',
    'declare abstract class A { abstract m() {} }',
    'namespace N { x = 1; { y = 2 } }',
    'declare async function f() {}',
    'declare function* g() {}',
    'declare class A { declare b = 1 }',
    'declare function f(a = 1); declare function g({a}) {}',
    'var a = { __proto__: 1, __proto__: 2 }; ({ "__proto__": 1, __proto__: 2 })',
    '({ get 1() { return 1 }, get 1.0() { return 1 }, set 1(v) {} })',
    '({ 1() {}, 1.0() {} })',
];

// ---- the oracle ----------------------------------------------------------------------------------

/* What the checker cannot do without. */
const library = ts.createSourceFile('lib.d.ts', `
    interface Array<T> { length: number; [n: number]: T } interface Boolean {} interface Function {}
    interface CallableFunction {} interface NewableFunction {} interface IArguments {}
    interface Number {} interface Object {} interface RegExp {} interface String {}
    interface Symbol {} interface Iterable<T> {} interface AsyncIterable<T> {}
    interface Promise<T> { then: any } interface PromiseLike<T> { then: any }
    interface SymbolConstructor { iterator: any } declare var Symbol: any;
    interface TemplateStringsArray {}`, ts.ScriptTarget.ESNext, true);

/* The checker's findings as "code@byte"; null if the text does not parse. */
function judge(text) {
    const file = ts.createSourceFile('a.ts', text, ts.ScriptTarget.ESNext, true);
    if (file.parseDiagnostics.length > 0)
        return null;
    const settings = { target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.Preserve, noLib: true,
                       types: [], strict: true };
    const files = { 'a.ts': file, 'lib.d.ts': library };
    const host = { ...ts.createCompilerHost(settings), fileExists: (name) => name in files,
                   getSourceFile: (name) => files[name], readFile: () => undefined };
    const program = ts.createProgram({ rootNames: Object.keys(files), options: settings, host });
    return program.getSemanticDiagnostics(file).map(({ code, start }) =>
        `${code}@${Buffer.byteLength(text.slice(0, start ?? 0))}`);
}

// ---- comparing -----------------------------------------------------------------------------------

const counts = { passed: 0, failed: 0 };
const dump = new Dump(options.dump);

async function compare(name, text, exact) {
    const theirs = judge(text);
    if (!theirs)
        return;
    const ours = (await dump.ask(Buffer.from(text), 'g')).syntax
        .map(([code, start]) => `${code}@${start}`);
    const wrong = ours.filter((one) => !theirs.includes(one));
    const missing = exact ? theirs.filter((one) => EXACT.has(Number(one.split('@')[0])) &&
                                                   !ours.includes(one)) : [];
    counts[wrong.length + missing.length > 0 ? 'failed' : 'passed']++;
    if (wrong.length > 0)
        console.log(`${name}: ${wrong.join(' ')} of ours is not the checker's`);
    if (missing.length > 0)
        console.log(`${name}: ${missing.join(' ')} is missing`);
}

for (const text of SNIPPETS)
    await compare(JSON.stringify(text), text, true);
const list = test262Files(modules).filter((one) => one.folder.startsWith('pass'));
const seed = Number(process.env.TENON_SYNTAX_SEED ?? 1);
for (let i = 0; i < Number(process.env.TENON_SYNTAX_GRAMMAR ?? 1200); i++) {
    const random = randomFrom(seed * 1000003 + i);
    const one = list[random(list.length)];
    const text = readText(one.path) ?? '';
    const mutant = random(3) > 0 && mutate(text, tokenise(ts, text), random);
    await compare(`${one.name}, ${seed}/${i}`, mutant ? mutant.text : text, false);
}
dump.end();
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
