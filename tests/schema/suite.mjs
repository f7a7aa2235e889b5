/*
 * The official JSON-Schema-Test-Suite, from a folder of it (npm and Debian do not carry its newer
 * drafts, so it is not fetched: without the folder nothing is run).
 *
 *   node suite.mjs --probe PROBE --suite FOLDER [--list yes]
 *
 * Optional tests are run too, but for those in `unsupported`, each with its reason.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { options, Probe, Score } from './probe.mjs';

const { probe: path, suite = process.env.JSON_SCHEMA_TEST_SUITE ?? '', list } = options();
const drafts = { 'draft7': 'draft-07', 'draft2019-09': '2019-09', 'draft2020-12': '2020-12' };

/* Files by the beginning of their path. */
const unsupported = new Map([
    ['refRemote.json', 'another document: nothing is ever fetched'],
    ['vocabulary.json', 'metaschemas of others: nothing is ever fetched'],
    ['optional/cross-draft.json', 'another document'],
    ['optional/format-assertion.json', 'metaschemas of others'],
    ['optional/format/', 'a format that is not known'],
    ['optional/content.json', 'contents are not looked into'],
]);
/* Tests of formats that are milder here, by what they say. */
const mild = [
    [/A-label/, 'punycode is not looked into'],
    [/^(invalid userinfo|non-numeric port|leading zero in an embedded|square brackets are not)/,
     'the parts of a URI are not told apart'],
];
const formats = ['date-time', 'date', 'time', 'ipv4', 'ipv6', 'uuid', 'hostname', 'email', 'uri'];

const score = new Score();
let skipped = 0;
if (suite === '' || !existsSync(join(suite, 'tests'))) {
    console.log('no folder of the suite: JSON_SCHEMA_TEST_SUITE is not set');
    score.finish();
    process.exit();
}
const probe = new Probe(path);

function* files(folder, under = '') {
    for (const name of readdirSync(join(folder, under)).sort()) {
        const inside = join(under, name);
        if (statSync(join(folder, inside)).isDirectory())
            yield* files(folder, inside);
        else if (name.endsWith('.json'))
            yield inside;
    }
}

/* A schema that leads out of itself cannot be held against anything. */
const leadsOut = (faults) => faults.some(([, reason]) => reason.includes('nothing is fetched'));

for (const [draft, dialect] of Object.entries(drafts)) {
    const folder = join(suite, 'tests', draft);
    for (const file of files(folder)) {
        const format = formats.some((one) => file === `optional/format/${one}.json`);
        if (!format && [...unsupported.keys()].some((name) => file.startsWith(name)))
            continue;
        for (const group of JSON.parse(readFileSync(join(folder, file), 'utf8'))) {
            const answer = await probe.ask({ schema: group.schema, dialect, formats: format,
                                             values: group.tests.map((one) => one.data) });
            if (leadsOut(answer.faults ?? [])) {
                skipped += group.tests.length;
                if (list)
                    console.log(`leads out: ${draft}/${file}: ${group.description}`);
                continue;
            }
            group.tests.forEach((one, at) => {
                if (format && mild.some(([words]) => words.test(group.description) ||
                                                     words.test(one.description)))
                    return;
                const { verdict } = answer.results?.[at] ?? {};
                score.check(verdict === (one.valid ? 'valid' : 'invalid'),
                            `${draft}/${file}: ${group.description}: ${one.description}: ` +
                            `${verdict ?? answer.status} ${JSON.stringify(answer.faults)}`);
            });
        }
    }
}
probe.close();
console.log(`${skipped} skipped: their schemas refer to other documents`);
score.finish();
