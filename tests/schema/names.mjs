/*
 * Names: one identifier for each, whatever their order.
 *
 *   node names.mjs --probe PROBE [--seed 1]
 */
import { options, Probe, Score } from './probe.mjs';
import { Random } from './generate.mjs';

const { probe: path, seed = '1' } = options();
const probe = new Probe(path);
const score = new Score();
const random = new Random(Number(seed));
const identifiers = async (names) => (await probe.ask({ names })).identifiers;

/* What is wanted of single sets. */
const wanted = [
    [['get-user', 'files.read', 'repo/list', 'ns:act', 'Send Mail', 'a|b'],
     ['get_user', 'files_read', 'repo_list', 'ns_act', 'Send_Mail', 'a_b']],
    [['查询天气', 'café', 'class', '2fa', 'ok', 'get', 'list'], ['查询天气', 'café', 'class_', '_2fa', 'ok', 'get', 'list']],
    [['__proto__', 'constructor', 'then', 'toString'], ['__proto___', 'constructor_', 'then_', 'toString_']],
];
for (const [names, expected] of wanted)
    score.check((await identifiers(names)).join() === expected.join(), `${names}: ${await identifiers(names)}`);
const four = await identifiers(['read-only', 'read_only', 'read.only', 'readOnly']);
score.check(four[1] === 'read_only' && four[3] === 'readOnly' && new Set(four).size === 4, `${four}`);

const alphabets = ['ab', 'a-._/ ', 'aA', '0123456789', '-', '_a', 'é\u0301e', '\u202ea', 'ａｂa', '查询a',
                   '\u{1F600}\u{1F680}', '\u{E0041}a', 'ſßẞ', 'İıiI', '\ud800a', 'ab\0\n', 'क\u093fa', 'กa',
                   '\u1100\u1161가', 'classdefault', '__proto__constructor'];
const character = () => random.chance(0.2)
    ? String.fromCodePoint(random.below(random.chance(0.5) ? 0x3000 : 0x110000))
    : random.pick([...random.pick(alphabets)]);
const name = () => Array.from({ length: random.chance(0.05) ? 60 + random.below(30) : random.below(8) }, character).join('');
const key = (text) => Buffer.from(text, 'utf16le').toString('hex');

for (let round = 0; round < 60; round++) {
    const base = Array.from({ length: 1 + random.below(200) }, name);
    const names = [...new Map([...base, ...base.slice(0, 5).map((one) => one + '-'),
                               ...base.slice(0, 5).map((one) => one + '.')].map((one) => [key(one), one])).values()];
    const found = await identifiers(names);
    score.check(new Set(found).size === names.length, `round ${round}: ${names.length} names, ${new Set(found).size} identifiers`);
    const bad = found.filter((one) => {
        try {
            new Function(`"use strict"; let ${one}; async () => { await 0; let ${one}; }`);
            return one !== one.normalize('NFC') || /[\u200e\u200f\u202a-\u202e\u2066-\u2069]/.test(one) || one in {};
        } catch {
            return true;
        }
    });
    score.check(bad.length === 0, `round ${round}: no identifiers: ${JSON.stringify(bad)}`);
    const order = names.map((_, i) => i).sort(() => random.next() - 0.5);
    const shuffled = await identifiers(order.map((i) => names[i]));
    score.check(order.every((i, at) => shuffled[at] === found[i]), `round ${round}: the order matters`);
    const exact = names.every((one, i) => !/^[A-Za-z_$][\w$]{0,50}$/.test(one) || found[i] === one ||
        found[i].startsWith(one));
    score.check(exact, `round ${round}: an identifier was changed`);
    const types = (await probe.ask({ typeNames: [...names, ...names], prefix: round % 2 ? 'P' : '' })).identifiers;
    score.check(new Set(types).size === names.length * 2, `round ${round}: type names repeat`);
    score.check(types.every((one) => /^[\p{ID_Start}$_][\p{ID_Continue}$]*$/u.test(one)), `round ${round}: ${types}`);
}
probe.close();
score.finish();
