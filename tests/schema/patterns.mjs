/*
 * Patterns from a seed against JavaScript's own regular expressions, with the `u` flag.
 *
 *   node patterns.mjs --probe PROBE [--patterns 3000] [--seed 1]
 *
 * What JavaScript takes is either taken here with the same answers, or reported; what it does not
 * take in any mode is reported.
 */
import { Random } from './generate.mjs';
import { options, Probe, Score } from './probe.mjs';

const { probe: path, patterns = '3000', seed = '1' } = options();
const probe = new Probe(path);
const score = new Score();
const random = new Random(Number(seed) + 40);
const pieces = ['a', 'b', 'c', '.', '^', '$', '|', '(', ')', '(?:', '(?=', '(?!', '(?<n>', '(?<=', '(?<!', '[ab]', '[^a]',
    '[a-c]', '[\\w-]', '[\\s]', '[^\\S]', '[\\d.]', '[]', '[^]', '[[a]', '[\\]]', '[$^]', '[\\b]', '\\d', '\\D', '\\w', '\\W', '\\s', '\\S',
    '\\b', '\\B', '\\/', '\\.', '\\-', '\\n', '\\t', '\\0', '\\x61', '\\u0061', '\\u{1F600}', '\\ud83d\\ude00', '\\cA', '\\1', '\\k<n>',
    '\\p{L}', '\\P{Lu}', '\\p{Letter}', '\\p{Script=Greek}', '\\p{gc=Nd}', '\\p{Alphabetic}', '*', '+', '?', '*?', '+?', '{1}', '{1,}', '{1,2}', '{0,1}?', '{',
    '}', ']', '{,2}', '++', '😀', 'é', ' ', '#', '\\a', '\\z', '\\Q', '(?>', '(?#', '(*F)', '(?i)', '\\R'];
const texts = ['', 'a', 'b', 'ab', 'aa', 'abc', 'cab', '😀', 'é', 'É', '\n', 'a\nb', '\u2028', ' ', '\u00a0', '\ufeff', '1', 'a1', 'α', 'Ω',
    '-', '.', '/', '\0', '\b', '\x01', '[', ']', '{', '}', '$', '^', 'aab', '#', '٣', '_', 'ſ', '\ud800', 'aaa', '\u180e'];
let taken = 0, reported = 0;
/* An assertion or a reference inside a repetition: captures are kept there, as pattern.h says. */
const keeps = /\\1|\\k/;
for (let i = 0; i < Number(patterns); i++) {
    const pattern = Array.from({ length: 1 + random.below(7) }, () => random.pick(pieces)).join('');
    let theirs, loose = true;
    try {
        theirs = new RegExp(pattern, 'u');
    } catch {
        try {
            new RegExp(pattern);
        } catch {
            loose = false;
        }
    }
    const answer = await probe.ask({ schema: { pattern }, values: texts });
    const refused = answer.faults.length > 0;
    if (!theirs) {
        /* A repeated lookbehind is harmless and not looked for. */
        score.check(refused || loose || /\(\?<[=!]/.test(pattern), `${pattern}: JavaScript does not take it`);
        continue;
    }
    if (refused) {
        reported++;
        score.check(/lookbehind|surrogate/.test(answer.faults[0][1]) || (keeps.test(pattern) && /ECMA/.test(answer.faults[0][1])),
                    `${pattern}: ${answer.faults[0][1]}`);
        continue;
    }
    taken++;
    texts.forEach((text, at) => {
        const ours = answer.results[at].verdict;
        if (/[\ud800-\udfff]/.test(text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '')) || keeps.test(pattern))
            return;
        score.check(ours === (theirs.test(text) ? 'valid' : 'invalid'), `/${pattern}/u on ${JSON.stringify(text)}: ours ${ours}`);
    });
}
probe.close();
console.log(`${taken} patterns taken, ${reported} reported that JavaScript takes`);
score.finish();
