/*
 * The eraser by itself, and what its output does.
 *
 *   erase.mjs --dump PROGRAM [--modules DIR] [--update] [NAME...]
 *
 * erase/NAME.ts: a text, a line "// ---", and the text as it is to be erased, blanks at the ends of
 * lines apart; findings follow as "// TN1021 line:column". --update writes what is found there.
 *
 * run/NAME.ts: a program that prints. Erased by us and compiled by the oracle it must print the
 * same, or end in the same error; an error must come from the line on which it was written.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Dump } from './client.mjs';
import { loadOracle } from './oracle.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const { values: options, positionals: names } = parseArgs({
    allowPositionals: true,
    options: { dump: { type: 'string' }, modules: { type: 'string' }, update: { type: 'boolean' } },
});
const dump = new Dump(options.dump);
let passed = 0;
let failed = 0;

const listed = (folder) => readdirSync(join(here, folder))
    .filter((name) => name.endsWith('.ts') && (names.length === 0 || names.includes(name.slice(0, -3))))
    .map((name) => join(here, folder, name));

function verdict(name, complaint) {
    if (!complaint) {
        passed++;
        return;
    }
    failed++;
    console.log(`${name}: ${complaint}`);
}

// ---- erase/ --------------------------------------------------------------------------------------

const MARK = '// ---\n';
const trimmed = (text) => text.split('\n').map((line) => line.trimEnd()).join('\n').trimEnd();

function position(text, offset) {
    const before = Buffer.from(text).subarray(0, offset).toString();
    return `${before.split('\n').length}:${before.length - before.lastIndexOf('\n')}`;
}

/* A word that stands once in the text and once in what is left of it is the same word: the eraser
 * must know where it came from, and have left it on its line. */
function strayed(text, { erased, places }) {
    const once = (data) => {
        const found = new Map();
        for (const { 0: word, index } of data.matchAll(/[A-Za-z_]\w*/g))
            found.set(word, found.has(word) ? -1 : index);
        return found;
    };
    const before = once(text);
    const after = erased.toString('latin1');
    const line = (data, at) => data.slice(0, at).split('\n').length;
    for (const [word, at] of once(after)) {
        const origin = before.get(word) ?? -1;
        if (at >= 0 && origin >= 0 &&
            (places[at] !== origin || line(after, at) !== line(text, origin)))
            return `${word} at ${at} is said to come from ${places[at]}, not ${origin}`;
    }
    return '';
}

async function compareGolden(path) {
    const [text, wanted = ''] = readFileSync(path, 'utf8').split(MARK);
    const answer = await dump.ask(Buffer.from(text), 'p');
    const findings = [...answer.syntax, ...answer.erasure]
        .map(([code, start]) => `// ${code} ${position(text, start)}\n`).join('');
    const got = trimmed(answer.erased.toString()) + '\n' + findings;
    if (options.update)
        writeFileSync(path, text + MARK + trimmed(got) + '\n');
    else if (trimmed(got) !== trimmed(wanted))
        verdict(path, `erased to\n${got}`);
    else
        verdict(path, strayed(Buffer.from(text).toString('latin1'), answer));
}

// ---- run/ ----------------------------------------------------------------------------------------

/* What a program prints, and the error it ends with, if it does. */
function execute(folder, name, text) {
    const path = join(folder, `${name}.mjs`);
    writeFileSync(path, text);
    const { stdout, stderr, status } = spawnSync(process.execPath, [path], { encoding: 'utf8' });
    const error = status === 0 ? '' : (/^\w*Error.*$/m.exec(stderr)?.[0] ?? stderr);
    const line = status === 0 ? 0 : Number(/\.mjs:(\d+)/.exec(stderr)?.[1]);
    return { output: stdout + error, line };
}

async function compareRun(folder, path, oracle) {
    const text = readFileSync(path, 'utf8');
    const answer = await dump.ask(Buffer.from(text));
    if (answer.syntax.length > 0)
        return verdict(path, `refused: TS${answer.syntax[0][0]} at ${position(text, answer.syntax[0][1])}`);
    const ours = execute(folder, 'ours', answer.erased.toString());
    const theirs = execute(folder, 'theirs', oracle.emit(text));
    const throwing = text.split('\n').findIndex((line) => line.includes('// throws here')) + 1;
    if (ours.output !== theirs.output)
        return verdict(path, `prints\n${ours.output}\n    and not\n${theirs.output}`);
    return verdict(path, ours.line === throwing ? ''
                                                 : `the error is on line ${ours.line}, not ${throwing}`);
}

async function runAll() {
    const modules = options.modules ??
        execFileSync(join(here, 'fetch'), { encoding: 'utf8' }).trim();
    const oracle = loadOracle(modules);
    const folder = mkdtempSync(join(tmpdir(), 'tenon-erase-'));
    try {
        for (const path of listed('run'))
            await compareRun(folder, path, oracle);
    } finally {
        rmSync(folder, { recursive: true });
    }
}

for (const path of listed('erase'))
    await compareGolden(path);
await runAll();
dump.end();
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
