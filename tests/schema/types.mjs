/*
 * Types of schemas from a seed, held by the real compiler: every one is TypeScript, and a value that
 * the schema takes is not refused where the schema says everything that its type says.
 *
 *   node types.mjs --probe PROBE --tsc TSC [--schemas 500] [--seed 1]
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { near, Random, schema, value } from './generate.mjs';
import { options, Probe, Score } from './probe.mjs';

const { probe: path, tsc, schemas = '500', seed = '1' } = options();
const work = mkdtempSync(join(tmpdir(), 'schema-types-'));
const probe = new Probe(path);
const score = new Score();

/* Where no type is named, keywords are read as naming the one they are about; and a pattern for names
 * is taken to speak of all of them. So these are said, and such patterns left out. */
const about = [
    [/^(minimum|maximum|multipleOf|exclusiveM)/, 'number'], [/^(minLength|maxLength|pattern)$/, 'string'],
    [/^(minItems|maxItems|uniqueItems|contains|items|prefixItems|additionalItems|unevaluatedItems)$/, 'array'],
    [/^(required|properties|additionalProperties|propertyNames|dependen|minProp|maxProp|unevaluatedProp)/, 'object'],
];

function sayAll(made) {
    if (typeof made !== 'object' || made === null)
        return;
    delete made.patternProperties;
    const types = about.filter(([words]) => Object.keys(made).some((key) => words.test(key))).map(([, type]) => type);
    if (types.length > 0)
        made.type ??= types;
    for (const [key, inner] of Object.entries(made)) {
        if (Array.isArray(inner) && key !== 'enum' && key !== 'const')
            inner.forEach(sayAll);
        else if (['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'].includes(key))
            Object.values(inner).forEach(sayAll);
        else if (key !== 'const')
            sayAll(inner);
    }
}

/* Every object has these for the compiler, as functions: no type says that they are something else. */
const inherited = /"(toString|constructor|__proto__)"/;

/* Line separators end a line for the compiler. */
const literal = (one) => JSON.stringify(one).replace(/\u2028/g, "\\u2028").replace(/\u2029/g, "\\u2029");

/* Everything but what a fresh literal may not have. */
const excess = /TS2353|may only specify known properties/;

const lines = [];
const holds = [];
let held = 0;
for (const dialect of ['draft-07', '2019-09', '2020-12']) {
    const random = new Random(Number(seed) * 77 + dialect.length);
    for (let i = 0; i < Number(schemas); i++) {
        const made = schema(random, dialect), whole = i % 2 === 0;
        if (whole)
            sayAll(made);
        const values = Array.from({ length: 6 }, (_, at) => at % 3 === 2 ? value(random) : near(random, made, made));
        const answer = await probe.ask({ schema: made, dialect, values, type: { prefix: 'P', object: i % 5 === 0 } });
        score.check(answer.status === 'ok', `${JSON.stringify(made)}: ${answer.status}`);
        if (answer.status !== 'ok')
            continue;
        const name = `S${dialect.replace(/\W/g, '')}_${i}`;
        lines.push(...`namespace ${name} {\n${answer.declarations}export type Whole = ${answer.text};\n}`.split('\n'));
        holds[lines.length] = { what: `${JSON.stringify(made)}\n    ${answer.declarations}${answer.text}` };
        if (i % 5 === 0 || !whole)
            continue;
        values.forEach((one, at) => {
            if (answer.results[at].verdict !== 'valid' || inherited.test(JSON.stringify([one, made])))
                return;
            held++;
            lines.push(`const ${name}_${at}: ${name}.Whole = ${literal(one)};`);
            holds[lines.length] = { value: true, what: `${JSON.stringify(made)}\n    ${answer.declarations}${answer.text}\n    refuses ${JSON.stringify(one)}` };
        });
    }
}
probe.close();
writeFileSync(join(work, 'types.ts'), lines.join('\n') + '\nexport {};\n');
const { stdout } = spawnSync(tsc, ['--noEmit', '--strict', '--pretty', 'false', '--target', 'esnext', join(work, 'types.ts')],
                             { encoding: 'utf8', maxBuffer: 1 << 28 });
rmSync(work, { recursive: true });
const wrong = new Set();
for (const line of stdout.split('\n')) {
    const [, at, text] = /\((\d+),\d+\): (.*)$/.exec(line) ?? [];
    if (!at || excess.test(text))
        continue;
    let next = Number(at);
    while (next < holds.length && !holds[next])
        next++;
    if (!wrong.has(next))
        score.check(false, `${text}: ${lines[at - 1]}\n    ${holds[next]?.what}`);
    wrong.add(next);
}
holds.forEach((one, at) => {
    if (one && !wrong.has(at))
        score.check(true);
});
console.log(`${held} values held against their types`);
score.finish();
