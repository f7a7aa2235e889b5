/*
 * Our validator against ajv, on schemas and values from a seed. Where they differ a third one,
 * @cfworker/json-schema, says who stands alone.
 *
 *   node agree.mjs --probe PROBE --modules MODULES [--schemas 850] [--values 12] [--seed 1]
 *
 * Each difference has to have one of the reasons below; what has none fails.
 */
import { createRequire } from 'node:module';
import { execFileSync } from 'node:child_process';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { near, Random, schema, value } from './generate.mjs';
import { options, Probe, Score } from './probe.mjs';

const { probe: path, modules, schemas = '850', values = '12', seed = '1' } = options();
const here = dirname(fileURLToPath(import.meta.url));
const require = createRequire(join(modules ?? execFileSync(join(here, 'fetch'), { encoding: 'utf8' }).trim(), 'x'));
const builds = { 'draft-07': require('ajv'), '2019-09': require('ajv/dist/2019'),
                 '2020-12': require('ajv/dist/2020') };
const { Validator } = require('@cfworker/json-schema');
const settings = { strict: false, validateFormats: false, addUsedSchema: false, ownProperties: true,
                   logger: false, ignoreKeywordsWithRef: false };

/* Decimals as integers over a power of ten. */
function scaled(number) {
    const [, digits, fraction = '', exponent = '0'] =
        /^-?(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(number));
    return [BigInt(digits + fraction), Number(exponent) - fraction.length];
}

function isMultiple(step, number) {
    let [a, power] = scaled(number), [b, other] = scaled(step);
    const least = Math.min(power, other);
    a *= 10n ** BigInt(power - least);
    b *= 10n ** BigInt(other - least);
    return a % b === 0n;
}

function compiler(dialect, exact) {
    const ajv = new builds[dialect].default(settings);
    if (exact) {
        ajv.removeKeyword('multipleOf');
        ajv.addKeyword({ keyword: 'multipleOf', type: 'number', validate: isMultiple });
    }
    return ajv;
}

/* What ajv says if multiples are decimal; null if it gives up. */
function exactly(dialect, made, one) {
    try {
        return compiler(dialect, true).compile(made)(one) ? 'valid' : 'invalid';
    } catch {
        return null;
    }
}

/* What the third says; null if it gives up. */
function third(dialect, made, one) {
    try {
        const draft = dialect === 'draft-07' ? '7' : dialect;
        return new Validator(made, draft, true).validate(one).valid ? 'valid' : 'invalid';
    } catch {
        return null;
    }
}

/* What is another's way of seeing, not a fault of ours. */
const reasons = {
    'contains, where ajv alone is of that mind: it takes items that fit no contains as looked at by unevaluatedItems, and an empty array as containing': 0,
    'a circle of references that never enters the value: reported, and says nothing; ajv may stop before it': 0,
    'the property "" where names are listed: ajv alone does not miss it': 0,
    'contains: in 2019-09 unevaluatedItems does not ask it; both others do': 0,
    'multipleOf: ajv divides in binary, 0.3 is no multiple of 0.1 there': 0,
    'the schema is one that ajv does not take, or that recurs without end there': 0,
};
const [contains, circle, empty, asked, binary, refused] = Object.keys(reasons);

const score = new Score();
const probe = new Probe(path);
let pairs = 0, valid = 0;
for (const dialect of Object.keys(builds)) {
    const random = new Random(Number(seed) * 1000 + dialect.length);
    let ajv = compiler(dialect);
    for (let i = 0; i < Number(schemas); i++) {
        const made = schema(random, dialect);
        const held = Array.from({ length: Number(values) }, (_, at) =>
            at % 3 === 2 ? value(random) : near(random, made, made));
        const answer = await probe.ask({ schema: made, dialect, values: held });
        if (i % 200 === 0)
            ajv = compiler(dialect);
        let validate;
        try {
            validate = ajv.compile(made);
        } catch {
            reasons[refused]++;
            score.check(answer.status === 'ok', `${dialect} ${JSON.stringify(made)}: ${answer.status}`);
            continue;
        }
        held.forEach((one, at) => {
            const ours = answer.results?.[at]?.verdict;
            let theirs;
            pairs++;
            try {
                theirs = validate(one) ? 'valid' : 'invalid';
            } catch {
                reasons[refused]++;
                return;
            }
            valid += theirs === 'valid';
            if (ours !== theirs && JSON.stringify(made).includes('multipleOf') &&
                ours === exactly(dialect, made, one)) {
                reasons[binary]++;
                return;
            }
            if (ours !== theirs && /"contains"/.test(JSON.stringify(made)) &&
                third(dialect, made, one) === ours) {
                reasons[contains]++;
                return;
            }
            if (ours !== theirs && answer.faults.some(([, reason]) => reason.includes('leads back'))) {
                reasons[circle]++;
                return;
            }
            if (ours !== theirs && /\[(.*,)?""/.test(JSON.stringify(made)) && third(dialect, made, one) === ours) {
                reasons[empty]++;
                return;
            }
            if (dialect === '2019-09' && theirs === 'valid' && ours === 'invalid' &&
                /"contains"/.test(JSON.stringify(made)) && /"unevaluatedItems"/.test(JSON.stringify(made))) {
                reasons[asked]++;
                return;
            }
            score.check(ours === theirs, `${dialect} ${JSON.stringify(made)}\n    ${JSON.stringify(one)}: ` +
                `ajv ${theirs}, ours ${ours} ${JSON.stringify(answer.faults)} ` +
                `third: ${ours !== theirs && third(dialect, made, one)} ` +
                JSON.stringify(theirs === 'invalid' ? validate.errors?.[0]?.schemaPath : answer.results?.[at]?.failures));
        });
    }
}
probe.close();
console.log(`${pairs} pairs, of which ajv takes ${valid}`);
for (const [reason, count] of Object.entries(reasons))
    console.log(`${String(count).padStart(6)}  ${reason}`);
score.finish();
