/*
 * Handed cases: schemas of tools, the types they should have, and values that fit or do not.
 *
 *   node cases.mjs --probe PROBE --tsc TSC [--only schema-007]
 *
 * Types are compared by the real compiler: each must be assignable to the other. `validInput` must
 * be accepted by both the type and the check, `invalidInput` refused by both, `invalidBySchemaOnly`
 * by the check alone.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { options, Probe, Score } from './probe.mjs';

const { probe: path, tsc, only = '' } = options();
const folder = join(dirname(fileURLToPath(import.meta.url)), 'cases');
const work = mkdtempSync(join(tmpdir(), 'schema-cases-'));
const probe = new Probe(path);
const score = new Score();
const wanted = new Map(); // "file:line": what is told if the compiler finds something there
const expectations = new Map(); // lines where it has to

/* One line of a module, with what it tests. */
class Module {
    lines = [];

    constructor(name) {
        this.name = name;
    }

    add(text, what, refused = false) {
        this.lines.push(...text.split('\n'));
        if (what)
            (refused ? expectations : wanted).set(`${this.name}:${this.lines.length}`, what);
    }
}

function findings(files) {
    writeFileSync(join(work, 'tsconfig.json'), JSON.stringify({
        compilerOptions: { strict: true, noEmit: true, target: 'esnext', module: 'esnext',
                           moduleResolution: 'bundler', types: [], skipLibCheck: false },
        files,
    }));
    const { stdout, error } = spawnSync(tsc, ['-p', work, '--pretty', 'false'], { encoding: 'utf8' });
    if (error)
        throw error;
    const found = new Map();
    for (const line of stdout.split('\n')) {
        const [, file, at, text] = /^(.*?)\((\d+),\d+\): (.*)$/.exec(line) ?? [];
        if (file)
            found.set(`${file.split('/').pop()}:${at}`, text);
    }
    return found;
}

const names = readdirSync(folder).filter((one) => one.endsWith('.json') && one.includes(only)).sort();
const files = [];
for (const name of names) {
    const one = JSON.parse(readFileSync(join(folder, name), 'utf8'));
    const id = one.id;
    const module = new Module(`${id}.ts`);
    const expected = readFileSync(join(folder, `${id}.expected.d.ts`), 'utf8');
    copyFileSync(join(folder, `${id}.expected.d.ts`), join(work, `${id}.expected.d.ts`));
    module.add(`import type * as Expected from "./${id}.expected";`);
    const typesOnly = `${one.checks ?? ''}${one.notes ?? ''}`.includes('types');
    for (const [index, tool] of one.tools.entries()) {
        for (const side of ['Input', 'Output']) {
            const schema = side === 'Input' ? tool.inputSchema ?? null : tool.outputSchema;
            if (schema === undefined || !expected.includes(`Tool${index + 1}${side}`))
                continue;
            const prefix = `Tool${index + 1}${side}`;
            const samples = (kind) => (one.samples?.[`${kind}${side}`] ?? [])
                .filter((sample) => sample.tool === index + 1).map((sample) => sample.value);
            const valid = samples('valid'), invalid = samples('invalid');
            const bySchema = side === 'Input'
                ? (one.samples?.invalidBySchemaOnly ?? []).filter((s) => s.tool === index + 1)
                    .map((s) => s.value) : [];
            const answer = await probe.ask({
                schema, values: [...valid, ...invalid, ...bySchema],
                type: { prefix, object: side === 'Input' },
            });
            score.check(answer.status === 'ok', `${id} ${prefix}: ${answer.status}`);
            answer.results?.forEach(({ verdict, failures }, at) => {
                const should = at < valid.length ? 'valid' : 'invalid';
                score.check(verdict === should || typesOnly,
                            `${id} ${prefix}: sample ${at} is ${verdict} ${JSON.stringify(failures)}`);
            });
            module.add(`namespace ${prefix}_ {\n${answer.declarations}export type Whole = ${answer.text};\n}`);
            module.add(`declare const ours${prefix}: ${prefix}_.Whole;`);
            module.add(`declare const theirs${prefix}: Expected.${prefix};`);
            module.add(`const a${prefix}: Expected.${prefix} = ours${prefix};`,
                       `${id} ${prefix}: ours does not fit the expected type: ${answer.text}`);
            module.add(`const b${prefix}: ${prefix}_.Whole = theirs${prefix};`,
                       `${id} ${prefix}: the expected type does not fit ours: ${answer.text}`);
            for (const [list, refused] of [[valid, false], [invalid, true], [bySchema, false]]) {
                list.forEach((value, at) => module.add(
                    `const c${prefix}_${refused}_${list === bySchema}_${at}: ${prefix}_.Whole = ${JSON.stringify(value)};`,
                    `${id} ${prefix}: ${refused ? 'takes' : 'refuses'} ${JSON.stringify(value)}`, refused));
            }
        }
    }
    module.add('export {};');
    writeFileSync(join(work, module.name), module.lines.join('\n'));
    files.push(module.name);
}
probe.close();
const found = findings(files);
for (const [at, what] of wanted)
    score.check(!found.has(at), `${what} (${found.get(at)})`);
for (const [at, what] of expectations)
    score.check(found.has(at), what);
for (const [at, text] of found)
    score.check(wanted.has(at) || expectations.has(at), `${at}: ${text}`);
rmSync(work, { recursive: true });
score.finish();
