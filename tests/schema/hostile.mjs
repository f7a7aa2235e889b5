/*
 * Schemas that mean harm: every one has an answer, in bounded time and bounded text.
 *
 *   node hostile.mjs --probe PROBE --tsc TSC [--slow 1]       slow: a factor on the times
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { options, Probe, Score } from './probe.mjs';

const { probe: path, tsc, slow = '1' } = options();
const probe = new Probe(path);
const score = new Score();
const range = (count, make) => Array.from({ length: count }, (_, i) => make(i));
const object = (count, make) => Object.fromEntries(range(count, make));
const nest = (depth, inner, outside) => range(depth, () => 0).reduce((made) => outside(made), inner);

/* what, schema, value, verdicts that are right, milliseconds it may take */
const cases = [
    ['100,000 properties', { type: 'object', properties: object(100000, (i) => [`p${i}`, { type: 'integer' }]) },
     object(100000, (i) => [`p${i}`, i]), ['valid'], 3000],
    ['doubling by references, all false',
     { $ref: '#/$defs/L0', $defs: object(40, (i) => [`L${i}`, i === 39 ? { const: 1 } : { anyOf: [{ $ref: `#/$defs/L${i + 1}` }, { $ref: `#/$defs/L${i + 1}` }] }]) },
     2, ['invalid'], 2500],
    ['doubling by references in allOf, all true',
     { $ref: '#/$defs/L0', $defs: object(40, (i) => [`L${i}`, i === 39 ? { const: 1 } : { allOf: [{ $ref: `#/$defs/L${i + 1}` }, { $ref: `#/$defs/L${i + 1}` }] }]) },
     1, ['valid'], 2500],
    ['doubling while marks are kept',
     { $ref: '#/$defs/L0', unevaluatedProperties: false, $defs: object(40, (i) => [`L${i}`, i === 39 ? { const: 1 } : { anyOf: [{ $ref: `#/$defs/L${i + 1}` }, { $ref: `#/$defs/L${i + 1}` }] }]) },
     {}, ['undecided'], 2500],
    ['a chain of 50,000 references', { $ref: '#/$defs/L0', $defs: object(50000, (i) => [`L${i}`, { $ref: `#/$defs/L${i + 1}` }]) },
     1, ['undecided', 'valid'], 3000],
    ['references in a circle', { $ref: '#/$defs/A', $defs: { A: { $ref: '#/$defs/B' }, B: { allOf: [{ $ref: '#/$defs/A' }] } } }, 1, ['valid'], 500],
    ['a reference to itself under not', { not: { $ref: '#' } }, 1, ['valid'], 500],
    ['a circle through if', { if: { $ref: '#' }, then: false, else: false }, 1, ['valid'], 500],
    ['400 allOf inside each other', nest(400 / 2, { type: 'string' }, (inner) => ({ allOf: [inner] })), 'x', ['valid'], 500],
    ['a value of 600 levels', { $ref: '#/$defs/N', $defs: { N: { type: 'object', properties: { n: { $ref: '#/$defs/N' } } } } },
     nest(600, {}, (inner) => ({ n: inner })), ['valid'], 500],
    ['a value of 900 levels of arrays', { $ref: '#/$defs/N', $defs: { N: { anyOf: [{ type: 'array', items: { $ref: '#/$defs/N' } }, { type: 'number' }] } } },
     nest(900, 1, (inner) => [inner]), ['valid', 'undecided'], 500],
    ['a pattern that backtracks', { pattern: '^(a+)+$' }, 'a'.repeat(40) + '!', ['undecided', 'invalid'], 1500],
    ['another', { pattern: '(x+x+)+y' }, 'x'.repeat(40), ['undecided', 'invalid'], 1500],
    ['a pattern on a long text', { pattern: 'a*b' }, 'a'.repeat(500000), ['undecided', 'invalid'], 1500],
    ['500 slow patterns on as many texts', { items: { allOf: range(500, (i) => ({ pattern: `^(a|aa|b${i})+$` })) } },
     range(500, () => 'a'.repeat(30) + '!'), ['undecided', 'invalid'], 2500],
    ['a pattern that grows when compiled', { pattern: '((a{1,1000}){1,1000}){1,1000}' }, 'a', ['valid', 'invalid'], 1500],
    ['2,000 large patterns', { allOf: range(2000, (i) => ({ pattern: `^(?:[a-z]{1,200}x${i}){1,50}$` })) }, 'a', ['invalid', 'undecided'], 4000],
    ['brackets of a pattern', { pattern: '('.repeat(1500) + ')'.repeat(1500) }, 'a', ['valid'], 500],
    ['1,000 patterns for names', { patternProperties: object(1000, (i) => [`^x${i}(a|b)*$`, { type: 'string' }]) },
     object(3000, (i) => [`x${i}ab`, 'v']), ['valid', 'undecided'], 2500],
    ['100,000 unique items with one beginning', { uniqueItems: true }, range(100000, (i) => ({ a: 'x'.repeat(20), b: [1, 2, i] })), ['valid'], 3000],
    ['100,000 items, two equal', { uniqueItems: true }, [...range(100000, (i) => i), 5], ['invalid'], 3000],
    ['100,000 values in an enum', { items: { enum: range(100000, (i) => `v${i}`) } }, range(1000, (i) => `v${99999 - i}`), ['undecided', 'valid'], 3000],
    ['100,000 required', { required: range(100000, (i) => `r${i}`) }, { a: 1 }, ['invalid'], 2000],
    ['100,000 dependencies', { dependentRequired: object(100000, (i) => [`r${i}`, ['q']]) }, { r5: 1 }, ['invalid'], 2000],
    ['10,000 alternatives', { oneOf: range(10000, (i) => ({ type: 'object', properties: { k: { const: i } }, required: ['k'] })) }, { k: 9999 }, ['valid'], 2000],
    ['10,000 alternatives, none right', { oneOf: range(10000, (i) => ({ type: 'object', properties: { k: { const: i } }, required: ['k'] })) }, { k: -1 }, ['invalid'], 2500],
    ['20,000 anchors', { $ref: '#a7', $defs: object(20000, (i) => [`D${i}`, { $anchor: `a${i}`, type: 'number' }]) }, 1, ['valid'], 2000],
    ['20,000 references to pointers', { allOf: range(20000, (i) => ({ $ref: `#/$defs/D${i % 100}` })), $defs: object(100, (i) => [`D${i}`, { type: 'number' }]) }, 1, ['valid'], 2000],
    ['references into enum and const', { allOf: [{ $ref: '#/enum/0' }, { $ref: '#/const' }], enum: [{ type: 'number' }], const: { type: 'number' } }, 1, ['invalid'], 500],
    ['recursion that doubles, dynamic', { $id: 'http://x/', $dynamicAnchor: 'n', anyOf: [{ type: 'number' }, { type: 'array', items: { anyOf: range(3, () => ({ $dynamicRef: '#n', minItems: 1 })) } }] },
     nest(40, ['x'], (inner) => [inner]), ['undecided', 'invalid'], 2500],
    ['names that all come to one', { type: 'object', properties: object(10000, (i) => [`p${i}`, { $ref: `#/$defs/a${'!?,;'[i % 4]}${'-'.repeat(i % 97)}${String.fromCharCode(0x2600 + (i % 100))}` }]),
                                     $defs: object(10000, (i) => [`a${'!?,;'[i % 4]}${'-'.repeat(i % 97)}${String.fromCharCode(0x2600 + (i % 100))}`, { type: 'object', properties: { [`x${i}`]: {} } }]) }, {}, ['valid'], 3000],
    ['a text of a megabyte', { type: 'string', minLength: 5, maxLength: 2000000, pattern: '^a+$' }, 'a'.repeat(1 << 20), ['valid', 'undecided'], 1500],
    ['numbers past all bounds', { multipleOf: 1e-300, minimum: -1e308 }, 1e308, ['valid'], 500],
    ['objects and arrays of types', { type: ['object', 'array', 'object', 'nope'], properties: [], items: 7, required: 'x', minLength: -1, pattern: '(', enum: 3, allOf: {}, $ref: 5, if: 1, not: null, multipleOf: 0 }, {}, ['valid'], 500],
];

for (const [what, schema, value, right, most] of cases) {
    const began = performance.now();
    const answer = await probe.ask({ schema, values: [value], type: { prefix: 'P', object: false } });
    const took = performance.now() - began;
    const result = answer.results?.[0];
    score.check(right.includes(result?.verdict), `${what}: ${answer.status} ${JSON.stringify(result)} ${JSON.stringify(answer.faults?.slice(0, 3))}`);
    score.check(took < most * Number(slow), `${what}: ${Math.round(took)} ms`);
    score.check((answer.text?.length ?? 0) + (answer.declarations?.length ?? 0) < 900000, `${what}: ${answer.text?.length} and ${answer.declarations?.length} characters of type`);
    score.check((answer.faults?.length ?? 0) <= 50, `${what}: ${answer.faults?.length} faults`);
    if (process.env.TIMES)
        console.log(String(Math.round(took)).padStart(6), 'ms', result?.verdict, what, answer.text?.length, answer.declarations?.length);
}

/* A schema that is deeper than the limit is told so, as a whole. */
const deep = await probe.ask({ schema: nest(600, {}, (inner) => ({ not: inner })), values: [1] });
score.check(deep.status !== 'ok', 'a schema of 600 levels has an answer');

/* Text that wants out of its comment, its quotes, its name. */
const evil = '*/ }; export const owned = 1; declare const owned2: any; /* ${owned} ` \\" \u2028export const owned = 2\n@ts-ignore \u202e\u0000 \ud800 \u{E0041} ” “';
const everywhere = {
    type: 'object', title: evil, description: evil, deprecated: true,
    properties: {
        [evil]: { type: 'string', description: evil, default: evil, examples: [evil], pattern: evil, format: evil, unit: evil },
        b: { enum: [evil, { [evil]: evil }] }, c: { const: evil, description: '\n@ts-ignore' },
        d: { $ref: `#/$defs/${evil.replace(/~/g, '~0').replace(/\//g, '~1')}` }, e: { description: '@ts-ignore\n* @ts-expect-error' },
        f: { type: 'object', patternProperties: { [evil]: {} }, propertyNames: { pattern: evil } },
        g: { dependentRequired: { [evil]: [evil] }, required: [evil] }, h: { $ref: evil },
        i: { description: `${'x'.repeat(599)}😀${'y'.repeat(40000)}` },
    },
    $defs: { [evil]: { type: 'object', description: evil, properties: { n: { type: 'number' } } } },
};
const answer = await probe.ask({ schema: everywhere, values: [], type: { prefix: 'Evil', object: true } });
const text = `${answer.declarations}type Whole = ${answer.text};\n`;
const work = mkdtempSync(join(tmpdir(), 'schema-hostile-'));
writeFileSync(join(work, 'evil.ts'), `${text}export { Whole };\nowned;\nowned2;\nconst wrong: Whole = 5;\n`);
const { stdout } = spawnSync(tsc, ['--noEmit', '--strict', '--pretty', 'false', join(work, 'evil.ts')], { encoding: 'utf8' });
rmSync(work, { recursive: true });
const codes = stdout.split('\n').filter((line) => line.includes('error')).map((line) => /TS\d+/.exec(line)?.[0]);
score.check(codes.sort().join() === 'TS2304,TS2304,TS2559', `what got out: ${stdout}`);
score.check(!/[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ufeff\ud800-\udfff](?![\udc00-\udfff])/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')), 'no control or hidden character is in the text');
score.check(/\(40000 more characters left out\)|\(40001 more characters left out\)/.test(text), `what is left out is counted`);
score.check(!text.includes('\u{E0041}'), 'invisible tags are taken out');
probe.close();
score.finish();
