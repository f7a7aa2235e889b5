/*
 * Single forms: the exact text of a type, what is reported, and what is said of a value.
 *
 *   node forms.mjs --probe PROBE
 */
import { options, Probe, Score } from './probe.mjs';

const probe = new Probe(options().probe);
const score = new Score();

async function type(schema, expected, more = {}) {
    const { prefix = 'P', object = false, ...rest } = more;
    const answer = await probe.ask({ schema, values: [], type: { prefix, object }, ...rest });
    const text = `${answer.declarations}${answer.text}`;
    score.check(text === expected, `${JSON.stringify(schema)}\n    ${text}\n    expected: ${expected}`);
}

async function faults(schema, expected, more = {}) {
    const answer = await probe.ask({ schema, ...more });
    score.check(answer.faults.map(([pointer]) => pointer).sort().join() === [...expected].sort().join(),
                `${JSON.stringify(schema)}: ${JSON.stringify(answer.faults)}`);
}

async function says(schema, value, expected, more = {}) {
    const answer = await probe.ask({ schema, values: [value], ...more });
    const { verdict, failures } = answer.results[0];
    const said = verdict === 'valid' ? 'valid' : failures.map(([path, wanted, got]) => `${path}: expected ${wanted}, got ${got}`).join('; ');
    score.check(said === expected, `${JSON.stringify(schema)} ${JSON.stringify(value)}\n    ${said}\n    expected: ${expected}`);
}

/* null in every spelling */
for (const form of [{ type: ['string', 'null'] }, { type: 'string', nullable: true }, { anyOf: [{ type: 'string' }, { type: 'null' }] },
                    { oneOf: [{ type: 'string' }, { const: null }] }]) {
    const answer = await probe.ask({ schema: form, values: [null, 'x', 5], type: { prefix: 'P' } });
    score.check(answer.text === 'string | null', `${JSON.stringify(form)}: ${answer.text}`);
    score.check(answer.results.map((one) => one.verdict).join() === 'valid,valid,invalid', JSON.stringify(form));
}
await type({ enum: ['x', null] }, '"x" | null');
await type({ const: null }, 'null');
await type({ type: ['object', 'null'], properties: { x: { type: 'number' } } }, '{ x?: number } | null');
await type({ type: 'array', items: { enum: ['a', 'b'] } }, '("a" | "b")[]');
await type({ type: 'array', items: { type: ['string', 'null'] } }, '(string | null)[]');

/* unions beside properties */
await type({ type: 'object', properties: { to: { type: 'string' } }, required: ['to'],
             oneOf: [{ required: ['text'], properties: { text: { type: 'string' } } }, { required: ['html'], properties: { html: { type: 'string' } } }] },
           '({ text: string } | { html: string }) & { to: string }');
await type({ type: ['string', 'object'], allOf: [{ properties: { a: { type: 'number' } } }] }, 'string | { a?: number }');
await type({ if: { properties: { k: { const: 'a' } }, required: ['k'] }, then: { required: ['x'] }, else: { required: ['y'] } },
           '{ k: "a" } & { x: unknown } | { y: unknown }');

/* what is beside a $ref is said where it is heeded */
for (const [draft, words] of [['http://json-schema.org/draft-07/schema#', ''], ['https://json-schema.org/draft/2020-12/schema', '  /** maxLength 3 */\n']])
    await type({ $schema: draft, properties: { a: { $ref: '#/definitions/s', maxLength: 3 } }, definitions: { s: { type: 'string' } } },
               words ? `type PS = string;\n{\n${words}  a?: PS & string;\n}` : 'type PS = string;\n{ a?: PS }');

/* names of members, index signatures, tuples */
await type({ properties: { 'my-prop': {}, 'x[0]': {}, class: {}, '2fa': {} } },
           '{ "my-prop"?: unknown; "x[0]"?: unknown; class?: unknown; "2fa"?: unknown }');
await type({ properties: { '': {}, 'a"b': {}, constructor: {} } }, '{ ""?: unknown; "a\\"b"?: unknown; constructor?: unknown }');
await type({ type: 'object', properties: { n: { type: 'number' } }, additionalProperties: { type: 'string' } },
           '{ n?: number; [key: string]: string | number | undefined }');
await type({ type: 'object' }, '{ [key: string]: unknown }');
await type({ type: 'object', additionalProperties: false }, '{ [key: string]: never }');
await type({ type: 'object', additionalProperties: { type: 'number' } }, '{ [key: string]: number }');
await type({ type: 'array' }, 'unknown[]');
await type({ type: 'array', prefixItems: [{ type: 'number' }], items: { type: 'string' } }, '[number?, ...string[]]');
await type({ type: 'array', prefixItems: [{ type: 'number' }, { type: 'string' }], minItems: 1, maxItems: 2 }, '[number, string?]');
await type({ type: 'array', items: [{ type: 'number' }] }, '[number?, ...unknown[]]', { dialect: 'draft-07' });
await type({}, 'unknown');
await type(true, 'unknown');
await type(false, 'never');
await type(null, '{ [key: string]: unknown }', { object: true });
await type({ $ref: '#/$defs/N', $defs: { N: { type: 'object', properties: { kids: { type: 'array', items: { $ref: '#/$defs/N' } } } } } },
           'type PN = { kids?: PN[] };\nPN');
await type({ type: 'object', properties: { and: { type: 'array', items: { $ref: '#' } } } }, 'type P = { and?: P[] };\nP');
await type({ type: 'object', properties: { a: { anyOf: [{ type: 'number' }, { type: 'null' }] }, b: { $ref: '#/properties/a/anyOf/0' }, 'c/d~e': { type: 'string' }, f: { $ref: '#/properties/c~1d~0e' } } },
           'type PAnyOf0 = number;\ntype PCDE = string;\n{ a?: number | null; b?: PAnyOf0; "c/d~e"?: string; f?: PCDE }');
await type({ type: 'object', properties: { n: { type: 'integer', minimum: 1, maximum: 50, default: 10, description: 'How many.', deprecated: true } } },
           '{\n  /** “How many.” deprecated; integer; minimum 1; maximum 50; default 10 */\n  n?: number;\n}');

/* OpenAPI: schemas in a larger document, the words of 3.0 */
const service = { openapi: '3.0.3', components: { schemas: {
    Pet: { type: 'object', required: ['id'], properties: { id: { type: 'integer', format: 'int64' }, tag: { type: 'string', nullable: true }, owner: { $ref: '#/components/schemas/Owner' } } },
    Owner: { type: 'object', properties: { pets: { type: 'array', items: { $ref: '#/components/schemas/Pet' } }, age: { type: 'number', minimum: 0, exclusiveMinimum: true } } } } } };
await type(service, 'type Owner = {\n  pets?: Pet[];\n  /** minimum 0; exclusiveMinimum true */\n  age?: number;\n};\n' +
    'type Pet = {\n  /** integer; format "int64" */\n  id: number;\n  tag?: string | null;\n  owner?: Owner;\n};\nPet',
           { prefix: '', dialect: 'openapi-3.0', pointer: '/components/schemas/Pet' });
await says(service, { id: 1, owner: { age: 0 } }, '$.owner.age: expected a number above 0, got the number 0',
           { dialect: 'openapi-3.0', pointer: '/components/schemas/Pet' });
await says({ components: { schemas: { A: { type: ['string', 'null'] } } } }, null, 'valid', { dialect: 'openapi-3.1', pointer: '/components/schemas/A' });

/* what is wrong costs the part that is wrong */
await faults({ properties: { a: { $ref: '#/gone' }, b: { type: 'objct' }, c: { pattern: '(' }, d: { type: 'number' }, e: 'no' } },
             ['/properties/a/$ref', '/properties/b/type', '/properties/c/pattern', '/properties']);
await faults({ $ref: 'https://example.invalid/s.json' }, ['/$ref']);
await faults({ not: { $ref: '#/gone' } }, ['/not/$ref']);
await says({ not: { $ref: '#/gone' } }, 1, 'valid');
await says({ oneOf: [{ $ref: '#/gone' }, { type: 'number' }] }, 1, 'valid');
await faults({ pattern: '\\Aa\\z' }, ['/pattern']);
await faults({ pattern: 'a++' }, ['/pattern']);
await faults({ pattern: '(?i)a' }, ['/pattern']);
await faults({ pattern: '(*FAIL)' }, ['/pattern']);

/* what is said of a value */
const call = { type: 'object', required: ['repo'], additionalProperties: false,
               properties: { repo: { type: 'string', minLength: 3 }, state: { enum: ['open', 'closed'] }, limit: { type: 'integer', maximum: 50 }, labels: { type: 'array', items: { type: 'string' } } } };
await says(call, { repo: 1 }, '$.repo: expected string, got the number 1');
await says(call, {}, '$: expected the property "repo", got none: it is missing in an empty object');
await says(call, { repo: 'abc', stat: 'open' }, '$.stat: expected no property of this name (there are: "repo", "state", "limit", "labels"), got the string "open"');
await says(call, { repo: 'abc', state: 'all' }, '$.state: expected one of ["open", "closed"], got the string "all"');
await says(call, { repo: 'ab', limit: 51, labels: ['a', 2] }, '$.repo: expected at least 3 characters, got 2: the string "ab"; $.limit: expected a number of at most 50, got the number 51; $.labels[1]: expected string, got the number 2', { failures: 5 });
await says({ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, '$: expected string or null, got the number 5');
const kinds = { oneOf: [{ properties: { kind: { const: 'a' }, x: { type: 'number' } }, required: ['kind', 'x'] }, { properties: { kind: { const: 'b' }, y: { type: 'number' } }, required: ['kind', 'y'] }] };
await says(kinds, { kind: 'b', y: 'no' }, '$.y: expected number, got the string "no"');
await says({ anyOf: [{ type: 'number' }, { properties: { op: { enum: ['+', '-'] } }, required: ['op'] }] }, { op: '*' },
           '$.op: expected one of ["+", "-"], got the string "*"');
await says({ oneOf: ['a', 'b'].map((kind) => ({ properties: { kind: { const: kind } }, required: ['kind'] })) }, { kind: 'c' },
           '$.kind: expected "a" or "b", got the string "c"');
await says({ anyOf: [{ type: 'number' }, { enum: ['a'] }] }, 'b', '$: expected number or one of ["a"], got the string "b"');
await says({ properties: { 'a b': { items: { const: 1 } } } }, { 'a b': [1, 2] }, '$["a b"][1]: expected 1, got the number 2');
await says({ type: 'number', multipleOf: 0.1 }, 0.3, 'valid');
await says({ type: 'integer' }, 1e21, 'valid');
await says({ type: 'integer', maximum: 10 }, { $type: 'bigint', value: '99999999999999999999' }, '$: expected a number of at most 10, got the number about 100000000000000000000');
await says({ type: 'string' }, { $type: 'date', value: null }, '$: expected string, got a Date');
await says({ type: 'object', required: ['a'] }, { a: { $type: 'undefined' } }, '$: expected the property "a", got none: it is missing in an empty object');
await says({ maxLength: 1 }, '😀', 'valid');
await says({ format: 'date-time' }, 'now', 'valid');
await says({ format: 'date-time' }, 'now', '$: expected a string of the format "date-time", got the string "now"', { formats: true });
probe.close();
score.finish();
