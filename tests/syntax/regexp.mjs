/*
 * Do we say of a regular expression what the TypeScript compiler says?
 *
 *   regexp.mjs --dump PROGRAM [--modules DIR] [--keep FILE]
 *   regexp.mjs --table > src/syntax/regexp_properties.inc
 *
 * Literals that are drawn from a grammar of their parts, those of the npm corpora, mutations of both
 * by a character, and every name of a Unicode property: verdict, codes and places must be the same.
 * One line for each disagreement, the last line is "N passed, N failed". --keep writes down the
 * literals that were compared with our verdict, as JSON.
 *
 * In the environment:
 *   TENON_SYNTAX_REGEXPS   how many are drawn (24000)
 *   TENON_SYNTAX_SEED      what they are drawn with (1)
 */
import { execFileSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { Dump } from './client.mjs';
import { packageFiles, readText, test262Files } from './corpora.mjs';
import { randomFrom, tokenise } from './mutate.mjs';

const here = dirname(fileURLToPath(import.meta.url));
const env = process.env;
const { values: options } = parseArgs({
    options: { dump: { type: 'string' }, modules: { type: 'string' }, keep: { type: 'string' },
               table: { type: 'boolean' } },
});
const modules = options.modules ?? execFileSync(join(here, 'fetch'), { encoding: 'utf8' }).trim();
const ts = createRequire(resolve(modules, 'x'))('typescript');

// ---- names of properties -------------------------------------------------------------------------

/* The compiler keeps its lists to itself: they are read from its text. */
function propertyNames() {
    const text = readFileSync(join(modules, 'typescript/lib/typescript.js'), 'utf8');
    const part = (from, to) => text.slice(text.indexOf(from), text.indexOf(to, text.indexOf(from)));
    const quoted = (piece) => [...piece.matchAll(/"(\w+)"/g)].map((match) => match[1]);
    const values = part('var valuesOfNonBinaryUnicodeProperties', 'Script_Extensions:');
    const script = values.indexOf('Script:');
    return {
        c: ['General_Category', 'gc'],
        S: ['Script', 'sc', 'Script_Extensions', 'scx'],
        b: quoted(part('var binaryUnicodeProperties =', '\n')),
        t: quoted(part('var binaryUnicodePropertiesOfStrings =', '\n')),
        g: quoted(values.slice(0, script)),
        s: quoted(values.slice(script)),
    };
}

/* As is_property() in regexp_escape.c has it. */
function propertyHash(text) {
    let hash = 2166136261;
    for (const byte of Buffer.from(text))
        hash = Math.imul(hash ^ byte, 16777619);
    return ((hash >>> 24) ^ (hash & 0xffffff)) >>> 0;
}

function propertyTable(names) {
    const all = Object.entries(names).flatMap(([kind, list]) => list.map((name) => kind + name));
    const hashes = [...new Set(all.map(propertyHash))].sort((a, b) => a - b);
    if (hashes.length !== all.length)
        throw new Error('two names of properties have one hash');
    const lines = [];
    for (let i = 0; i < hashes.length; i += 5)
        lines.push(hashes.slice(i, i + 5).map((hash) =>
            `{${[hash >> 16, (hash >> 8) & 255, hash & 255].join(', ')}},`).join(' '));
    return lines.join('\n') + '\n';
}

// ---- what the oracle says ------------------------------------------------------------------------

/* The literal that a text begins with, as [code, start in UTF-16] in order; undefined if the text is
 * no literal that ends on its line. The same question, with the same way to drop what follows from
 * another finding, as its checker asks of each literal. */
function judge(literal) {
    let found = [];
    const scanner = ts.createScanner(ts.ScriptTarget.ESNext, true, ts.LanguageVariant.Standard,
                                     literal, (message, length, detail) => {
        const start = scanner.getTokenEnd();
        if (message.category === ts.DiagnosticCategory.Error && found.at(-1)?.[1] !== start)
            found.push([message.code, start, detail]);
    });
    const first = scanner.scan();
    if (first !== ts.SyntaxKind.SlashToken && first !== ts.SyntaxKind.SlashEqualsToken)
        return undefined;
    found = [];
    try {
        scanner.reScanSlashToken(true);
    } catch (failure) {
        return { text: literal, broken: failure.message };
    }
    if (scanner.isUnterminated())
        return undefined;
    return { text: literal.slice(0, scanner.getTokenEnd()), found };
}

/* A place in bytes; within a pair of surrogates, its start. */
function bytesBefore(text, at) {
    const inside = at > 0 && at < text.length && /[\udc00-\udfff]/.test(text[at]) &&
                   /[\ud800-\udbff]/.test(text[at - 1]);
    return Buffer.byteLength(text.slice(0, inside ? at - 1 : at));
}

// ---- literals ------------------------------------------------------------------------------------

const FLAGS = ['', '', '', 'g', 'i', 'u', 'u', 'u', 'v', 'v', 'v', 'v', 'dgimsy', 'uv', 'gg', 'x',
               'ug', 'vi', 'é', 'gu\u{10400}'];
const ATOMS = ['a', 'b', 'z', '0', '9', '.', '-', ' ', ',', ':', '=', '!', '<', '>', '_', 'é', '\u{1f600}',
               '^', '$', '&', '%', '#', '@', '~', '`', ';', '"', "'", '}', ']', ')', '|', '{', '*', '+', '?'];
const ESCAPES = ['\\d', '\\D', '\\w', '\\s', '\\b', '\\B', '\\n', '\\t', '\\v', '\\f', '\\r', '\\0', '\\00',
                 '\\01', '\\1', '\\2', '\\3', '\\8', '\\9', '\\10', '\\377', '\\400', '\\47', '\\x41', '\\x4', '\\xg',
                 '\\u0041', '\\u004', '\\u{41}', '\\u{}', '\\u{110000}', '\\u{10ffff}', '\\u{1', '\\ud83d\\ude00',
                 '\\ud83d', '\\ude00', '\\ud83d\\u0041', '\\ud83d\\u{de00}', '\\c', '\\cA', '\\c1', '\\c-', '\\k', '\\k<a>', '\\k<b>',
                 '\\k<>', '\\k<a', '\\q', '\\q{ab|c}', '\\q{}', '\\q{a}', '\\q{a|b', '\\p{L}', '\\P{Lu}',
                 '\\p{Script=Greek}', '\\p{sc=Grek}', '\\p{scx=Nope}', '\\p{gc=Lu}', '\\p{RGI_Emoji}',
                 '\\P{RGI_Emoji}', '\\p{Nope}', '\\p{=L}', '\\p{L=}', '\\p{gc=}', '\\p{}', '\\p', '\\P', '\\p{L', '\\p{^L}',
                 '\\/', '\\-', '\\.', '\\[', '\\]', '\\(', '\\)', '\\{', '\\}', '\\|', '\\\\', '\\a', '\\z', '\\_',
                 '\\$', '\\^', '\\é', '\\\u{1f600}', '\\&', '\\!', '\\"', "\\'", '\\ ', '\\,'];
const QUANTIFIERS = ['*', '+', '?', '*?', '+?', '??', '{1}', '{1,}', '{1,2}', '{2,1}', '{,1}', '{,}', '{}', '{',
                     '{1', '{1,', '{1,2', '{a}', '{1}?', '{9007199254740993,9007199254740992}', '{2,1', '**'];
const GROUPS = ['(', '(', '(?:', '(?=', '(?!', '(?<=', '(?<!', '(?<a>', '(?<b>', '(?<a>', '(?<$_é>', '(?<\\u0061>',
                '(?<a\\u0062>', '(?<a\\u{62}>', '(?<>', '(?<1>', '(?<a', '(?i:', '(?i-m:', '(?-s:', '(?-:', '(?ii:', '(?i-i:',
                '(?g:', '(?u:', '(?x:', '(?i', '(?', '(?#', '(?-', '(?ims-:'];
const OPERATORS = ['--', '&&', '-', '&', '^', '&&&', '---', '!!', '##', '++'];

function drawn(random) {
    const pick = (list) => list[random(list.length)];
    const klass = (depth) => {
        let text = random(4) === 0 ? '[^' : '[';
        for (let i = random(5); i >= 0; i--) {
            const what = random(12);
            text += what < 4 ? pick(ATOMS) : what < 7 ? pick(ESCAPES) : what < 9 ? pick(OPERATORS)
                : what < 10 ? `${pick(ATOMS)}-${pick(ATOMS)}`
                : what < 11 ? `${pick(ESCAPES)}-${pick(ESCAPES)}` : depth > 0 ? klass(depth - 1) : '';
        }
        return text + (random(12) === 0 ? '' : ']');
    };
    const body = (depth) => {
        let text = '';
        for (let i = random(4); i >= 0; i--) {
            const what = random(14);
            text += what < 4 ? pick(ATOMS) : what < 7 ? pick(ESCAPES) : what < 9 ? klass(2)
                : what < 10 ? `${body(0)}|${depth > 0 ? body(depth - 1) : ''}`
                : depth > 0 ? pick(GROUPS) + body(depth - 1) + (random(9) === 0 ? '' : ')') : 'a';
            if (random(4) === 0)
                text += pick(QUANTIFIERS);
        }
        return text;
    };
    /* Most have one thing wrong at the most, so that what comes after the first is met too. */
    return `/${random(3) === 0 ? pick([...ESCAPES, ...ATOMS, klass(3), pick(GROUPS) + body(1) + ')']) : body(3)}/${pick(FLAGS)}`;
}

/* One character left out, doubled, swapped with the next, or another put in. */
function mutated(literal, random) {
    const others = '()[]{}|?*+^$.\\-&<>=!:,dkpPqucx0189aziuvgé/';
    const list = [...literal];
    const at = 1 + random(list.length - 1);
    switch (random(5)) {
    case 0: list.splice(at, 1); break;
    case 1: list.splice(at, 0, list[at]); break;
    case 2: list.splice(at, 2, list[at + 1] ?? '', list[at]); break;
    case 3: list[at] = others[random(others.length)]; break;
    default: list.splice(at, 0, others[random(others.length)]); break;
    }
    return list.join('');
}

function corpusLiterals() {
    const found = new Set();
    const files = [...packageFiles(modules).filter((one) => !one.declaration), ...test262Files(modules)];
    for (const one of files) {
        const text = readText(one.path);
        if (!text?.includes('/'))
            continue;
        if (text.length > 200000 || !/[=(,:[!&|?{};\n]\s*\/[^/*\n][^\n]*\//.test(text))
            continue;
        for (const [start, end] of tokenise(ts, text)) {
            if (text[start] === '/' && end - start > 2)
                found.add(text.slice(start, end));
        }
    }
    return [...found];
}

function* literals(count, seed, names) {
    const corpus = corpusLiterals();
    yield* corpus;
    for (const [kind, list] of Object.entries(names)) {
        for (const name of list) {
            for (const text of kind === 'c' || kind === 'S' ? [`${name}=L`, `${name}=Latn`]
                     : kind === 's' ? [`sc=${name}`, name] : [name, `gc=${name}`]) {
                yield `/\\p{${text}}/u`;
                yield `/[^\\p{${text}}]/v`;
                yield `/\\p{${text.slice(0, -1)}}/u`;
            }
        }
    }
    for (let i = 0; i < count; i++) {
        const random = randomFrom(seed * 1000003 + i);
        switch (random(3)) {
        case 0: yield drawn(random); break;
        case 1: yield mutated(corpus[random(corpus.length)], random); break;
        default: yield mutated(drawn(random), random); break;
        }
    }
}

// ---- comparing -----------------------------------------------------------------------------------

const MOST_COMPARED = 12; /* dump prints 20 */

const counts = { passed: 0, failed: 0, refused: 0, skipped: 0 };
const kept = [];

const inOrder = (found) =>
    found.sort((a, b) => a[1] - b[1] || a[0] - b[0]).slice(0, MOST_COMPARED)
        .map(([code, start]) => `${code}@${start}`);

async function compare(dump, literal) {
    const theirs = judge(literal);
    if (!theirs || theirs.broken) {
        counts.skipped++;
        return;
    }
    const before = 'x = ';
    const { text } = theirs;
    const ours = await dump.ask(Buffer.from(`${before}${text};\n`), 'g');
    const said = inOrder(ours.syntax.map(([code, start]) => [code, start - before.length]));
    const wanted = inOrder(theirs.found.map(([code, start]) => [code, bytesBefore(text, start)]));
    counts.refused += Number(wanted.length > 0);
    kept.push([text, said]);
    if (said.join() === wanted.join()) {
        counts.passed++;
        return;
    }
    counts.failed++;
    if (counts.failed <= 50)
        console.log(`${JSON.stringify(text)}: ours ${said.join(' ') || 'right'}, ` +
                    `theirs ${wanted.join(' ') || 'right'}`);
}

const names = propertyNames();
if (options.table) {
    process.stdout.write(propertyTable(names));
    process.exit(0);
}
const began = Date.now();
const table = readFileSync(join(here, '../../src/syntax/regexp_properties.inc'), 'utf8');
if (table.replace(/\s/g, '') !== propertyTable(names).replace(/\s/g, '')) {
    console.log('src/syntax/regexp_properties.inc is not what --table prints');
    counts.failed++;
}
const dump = new Dump(options.dump);
const seen = new Set();
let running = [];
for (const literal of literals(Number(env.TENON_SYNTAX_REGEXPS ?? 24000),
                               Number(env.TENON_SYNTAX_SEED ?? 1), names)) {
    if (seen.has(literal) || /[\n\r\u2028\u2029\ud800-\udbff](?![\udc00-\udfff])/.test(literal.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')))
        continue;
    seen.add(literal);
    running.push(compare(dump, literal));
    if (running.length >= 512) {
        await Promise.all(running);
        running = [];
    }
}
await Promise.all(running);
dump.end();
if (options.keep)
    writeFileSync(options.keep, JSON.stringify(kept));
console.log(`regular expressions: ${counts.passed + counts.failed} compared, ${counts.refused} of them ` +
            `refused, ${counts.skipped} are none (${((Date.now() - began) / 1000).toFixed(1)} s)`);
console.log(`${counts.passed} passed, ${counts.failed} failed`);
process.exitCode = counts.failed > 0 ? 1 : 0;
