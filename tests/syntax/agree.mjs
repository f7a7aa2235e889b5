/*
 * Do our parser and eraser agree with the TypeScript compiler?
 *
 *   agree.mjs --dump PROGRAM [--modules DIR] [--only packages,test262,mutations,cases]
 *             [--keep DIR] [FILE...]
 *
 * Every text is read by both. They must accept and refuse the same ones; and what both accept,
 * erased by us, must be the same JavaScript as the compiler emits (oracle.mjs says what "the same"
 * is), with every token that stays at its place. One line for each disagreement, the last line is
 * "N passed, N failed". Given files, only these are compared, and differences are explained.
 *
 * In the environment:
 *   TENON_SYNTAX_MUTATIONS   how many one-token mutations (5000); a tenth as many other layouts
 *   TENON_SYNTAX_SEED        what they are drawn with (1)
 *   TENON_SYNTAX_LONG        set: mutations of large files too, ten times as many
 *   TS_CASES                 a folder of TypeScript cases to compare, and to mutate, as well
 *   TENON_CACHE              where the compiler's answers are kept
 */
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Dump, Oracle } from './client.mjs';
import { folderFiles, isDeclaration, packageFiles, readText, splitCase, test262Files,
         TEST262_VERDICTS } from './corpora.mjs';
import { mutate, randomFrom, relayout, tokenise } from './mutate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const env = process.env;
const { values: options, positionals: files } = parseArgs({
    allowPositionals: true,
    options: { dump: { type: 'string' }, modules: { type: 'string' }, keep: { type: 'string' },
               only: { type: 'string', default: 'packages,test262,mutations,cases' } },
});
const modules = options.modules ?? execFileSync(join(here, 'fetch'), { encoding: 'utf8' }).trim();
const ts = createRequire(resolve(modules, 'x'))('typescript');
const cache = env.TENON_CACHE ?? join(env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'tenon');
const oracle = new Oracle({ modules, cache, processes: Math.min(2, availableParallelism()) });
const reasons = JSON.parse(readFileSync(join(here, 'differences.json'), 'utf8'));
let dump = new Dump(options.dump);

// ---- one text ------------------------------------------------------------------------------------

const explained = new Map();

/* Compare what is said of one text; undefined if there is nothing to complain about. */
async function compare(one, counts) {
    const bytes = Buffer.from(one.text);
    const [ours, theirs] = await Promise.all([
        askDump(bytes, one.declaration),
        oracle.ask({ op: 'judge', text: one.text, declaration: one.declaration }),
    ]);
    if (ours.crash)
        return ours.crash;
    if (theirs.error)
        return explain(`the oracle fails (${theirs.error})`);
    const weRefuse = ours.syntax.length > 0;
    const theyRefuse = theirs.diagnostics.length > 0;
    one.accepted = !theyRefuse;
    const limit = weRefuse && reasons.find((one) => one.reason === ours.syntax[0][0]);
    if (!theyRefuse && limit)
        return explain(limit.why);
    if (weRefuse !== theyRefuse)
        return weRefuse ? `refused: ${place(one.text, ours.syntax[0])}`
                        : `accepted: ${place(one.text, theirs.diagnostics[0])} of the oracle`;
    if (weRefuse) {
        counts.refused++;
        const same = ([code, start], i) => theirs.diagnostics[i]?.[0] === code &&
                                           theirs.diagnostics[i][1] === start;
        counts.sameFirst += Number(same(ours.syntax[0], 0));
        counts.sameAll += Number(ours.syntax.length === theirs.diagnostics.length &&
                                 ours.syntax.every(same));
        return undefined;
    }
    return one.declaration ? undefined : compareErased(one, bytes, ours, theirs);
}

async function compareErased(one, bytes, ours, theirs) {
    const moved = misplaced(bytes, ours);
    if (moved)
        return moved;
    const text = ours.erased.toString('utf8');
    const mine = await oracle.ask({ op: 'shape', text });
    if (mine.shape && mine.shape === theirs.shape)
        return undefined;
    const lowered = reasons.find((one) => ours.lowered.includes(one.reason));
    if (lowered)
        return explain(lowered.why);
    if (mine.broken && theirs.shape)
        return `erased text does not parse: ${place(text, mine.broken)}`;
    const told = await oracle.ask({ op: 'explain', text: one.text, ours: text });
    const { theirs: wanted, ours: got } = told;
    const known = reasons.find((one) => one.reason === told.reason);
    return known ? explain(known.why) : `erased to other JavaScript:\n    theirs ${wanted?.join(' ')}\n    ours   ${got?.join(' ')}`;
}

function explain(why) {
    explained.set(why, (explained.get(why) ?? 0) + 1);
    return undefined;
}

/* A crash is a disagreement like others; the next text gets a new process. Answers that were lost
 * with it are asked for again, each by itself, to know whose crash it was. */
async function askDump(bytes, declaration) {
    const flags = declaration ? 'd' : '';
    const asked = dump;
    try {
        return await asked.ask(bytes, flags);
    } catch {
        if (asked === dump)
            dump = new Dump(options.dump);
    }
    const alone = new Dump(options.dump);
    try {
        return await alone.ask(bytes, flags);
    } catch (failure) {
        return { crash: `CRASH: ${failure.message}` };
    } finally {
        alone.end();
    }
}

/* Erasing blanks: lines stay lines; and where nothing was lowered, what is not blank is as it was,
 * but for the semicolon and the end of an arrow's head that stand in for what went. Blanks may be of
 * two and three bytes (C2 A0, E3 80 80). */
const BLANKS = new Set([...' ;)=>('].map((c) => c.charCodeAt(0)).concat(0xc2, 0xa0, 0xe3, 0x80));

function misplaced(before, { erased, lowered }) {
    const lines = (data) => data.reduce((count, byte) => count + Number(byte === 10), 0);
    if (lines(before) !== lines(erased))
        return `has ${lines(before)} lines, erased ${lines(erased)}`;
    if (lowered.length > 0)
        return undefined;
    if (before.length !== erased.length)
        return 'has another length, erased, though nothing was lowered';
    for (let i = 0; i < before.length; i++) {
        if (before[i] !== erased[i] && !BLANKS.has(erased[i]))
            return `byte ${i} became ${JSON.stringify(String.fromCharCode(erased[i]))}`;
    }
    return undefined;
}

function place(text, [code, start]) {
    const before = Buffer.from(text).subarray(0, start).toString();
    const line = before.split('\n').length;
    return `TS${String(code).replace(/^TS/, '')} at ${line}:${before.length - before.lastIndexOf('\n')}`;
}

// ---- many texts ----------------------------------------------------------------------------------

const totals = { passed: 0, failed: 0 };

async function run(title, cases) {
    const counts = { passed: 0, failed: 0, refused: 0, sameFirst: 0, sameAll: 0 };
    const running = new Set();
    const began = Date.now();
    for (const one of cases) {
        const task = compare(one, counts).then((complaint) => {
            counts[complaint ? 'failed' : 'passed']++;
            if (complaint)
                complain(one, complaint);
            one.done?.(one);
        }).finally(() => running.delete(task));
        running.add(task);
        if (running.size >= 24)
            await Promise.race(running);
    }
    await Promise.all(running);
    totals.passed += counts.passed;
    totals.failed += counts.failed;
    console.log(`${title}: ${counts.passed} agree, ${counts.failed} do not; of ${counts.refused} ` +
                `refused by both, ${counts.sameFirst} with the same first finding, ${counts.sameAll} ` +
                `with all the same ` +
                `(${((Date.now() - began) / 1000).toFixed(1)} s)`);
}

function complain(one, complaint) {
    console.log(`${one.name}: ${complaint}`);
    if (options.keep) {
        mkdirSync(options.keep, { recursive: true });
        const sum = createHash('sha256').update(one.text).digest('hex').slice(0, 12);
        writeFileSync(join(options.keep, `${sum}${one.declaration ? '.d' : ''}.ts`), one.text);
    }
}

function* texts(list) {
    for (const one of list) {
        const text = readText(one.path);
        if (text !== null)
            yield { ...one, text };
    }
}

/* What the folders of test262-parser-tests say, beside what the compiler says. */
async function runTest262() {
    const other = { true: 0, false: 0 };
    const note = (one) => {
        if (one.accepted !== TEST262_VERDICTS[one.folder])
            other[one.accepted]++;
    };
    const list = test262Files(modules);
    await run('test262-parser-tests', texts(list.map((one) => ({ ...one, done: note }))));
    console.log(`    the oracle itself accepts ${other.true} that their folders refuse (early ` +
                `errors are its checker's), and refuses ${other.false} that they accept`);
}

function* mutations(count, seed) {
    const groups = Object.values(Object.groupBy(
        [...packageFiles(modules), ...test262Files(modules)], (one) => one.name.split('/')[0]));
    if (env.TS_CASES)
        groups.push(folderFiles(env.TS_CASES));
    const largest = env.TENON_SYNTAX_LONG ? 4 << 20 : 40000;
    for (let i = 0, left = count; left > 0; i++) {
        const random = randomFrom(seed * 1000003 + i);
        const group = groups[random(groups.length)];
        const one = group[random(group.length)];
        const text = readText(one.path);
        if (text === null || text.length > largest)
            continue;
        const mutant = mutate(text, tokenise(ts, text), random);
        if (mutant) {
            left--;
            const what = `${mutant.kind} at ${mutant.start} ${JSON.stringify(mutant.token.slice(0, 30))}`;
            yield { ...one, name: `mutation ${seed}/${i} of ${one.name} (${what})`,
                    text: mutant.text };
        }
    }
}

function* layouts(count, seed) {
    const sources = packageFiles(modules).filter((one) => !one.declaration);
    for (let i = 0, left = count; left > 0; i++) {
        const random = randomFrom(seed * 1000003 + 500000 + i);
        const one = sources[random(sources.length)];
        const text = readText(one.path);
        if (text === null || text.length > 40000)
            continue;
        left--;
        yield { ...one, name: `layout ${seed}/${i} of ${one.name}`,
                text: relayout(text, tokenise(ts, text), random) };
    }
}

function* cases(folder) {
    for (const one of texts(folderFiles(folder)))
        yield* splitCase(one, one.text);
}

// ---- what to compare -----------------------------------------------------------------------------

const wanted = new Set(options.only.split(','));
if (files.length > 0) {
    await run('files', texts(files.map((path) => ({ name: path, path,
                                                    declaration: isDeclaration(path) }))));
} else {
    if (wanted.has('packages'))
        await run('packages', texts(packageFiles(modules)));
    if (wanted.has('test262'))
        await runTest262();
    if (wanted.has('mutations')) {
        const count = Number(env.TENON_SYNTAX_MUTATIONS ?? 5000) * (env.TENON_SYNTAX_LONG ? 10 : 1);
        const seed = Number(env.TENON_SYNTAX_SEED ?? 1);
        await run('mutations', mutations(count, seed));
        await run('layouts', layouts(count / 10, seed));
    }
    if (wanted.has('cases')) {
        if (env.TS_CASES)
            await run('cases of TS_CASES', cases(env.TS_CASES));
        else
            console.log('cases of TS_CASES: 0 cases, skipped (it is not set)');
    }
}
for (const [why, count] of explained)
    console.log(`not compared, ${count}: ${why}`);
oracle.end();
dump.end();
console.log(`${totals.passed} passed, ${totals.failed} failed`);
process.exitCode = totals.failed > 0 ? 1 : 0;
