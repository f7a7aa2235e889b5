/* Schemas and values from a seed: small, dense in keywords, with the corners that validators trip
 * over. */
export class Random {
    constructor(seed) {
        this.state = seed >>> 0;
    }

    next() {
        this.state = (this.state + 0x6D2B79F5) >>> 0;
        let t = this.state;
        t = Math.imul(t ^ (t >>> 15), t | 1);
        t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
        return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
    }

    below(n) {
        return Math.floor(this.next() * n);
    }

    chance(p) {
        return this.next() < p;
    }

    pick(list) {
        return list[this.below(list.length)];
    }

    some(list, most) {
        return Array.from({ length: this.below(most + 1) }, () => this.pick(list));
    }
}

const names = ['a', 'b', 'c', 'd', 'x-y', '', 'a/b', 'a~b', 'é', '😀', 'constructor', 'toString', '0',
               '10', 'length', '%25', 'a"b', 'na me'];
const texts = ['', 'a', 'ab', 'abc', '😀', '😀😀', 'é', 'e\u0301', '\u2028', 'a\nb', '123', 'x-1', 'A',
               'null', ' ', '\u0000', 'ſ', 'K', '2020-01-01', 'aaaaaaaaaaaaaaaaaaaa!'];
const numbers = [0, -0, 1, -1, 2, 3, 5, 7, 10, 100, 0.5, 1.5, -2.5, 0.1, 0.2, 0.3, 1e3, 1e15, 2 ** 53,
                 2 ** 53 - 1, 1e21, 1e300, -1e300, 5e-324, 0.01, 19.99, 4.35, 1e-7, 123456789012];
const patterns = ['^a', 'b$', '^[a-c]+$', '\\d', '^\\w*$', '\\s', '^.$', '^.{2}$', '^[^a]*$', 'a|b',
                  '^(?:ab|c)*$', '(?=a)', '^(?!a)', '(.)\\1', '^\\p{L}', '[\\s\\S]', '^x-', '\\u0061',
                  '^\\u{1F600}$', '\\/', '[\\w-]', '^(?<q>a)\\k<q>', '^$', '(?<=a)b', '\\D', '[^\\s]',
                  '^a{2,}', 'a{1,2}?b', '\\.', '^[\\u{1F600}-\\u{1F64F}]'];
const types = ['null', 'boolean', 'number', 'integer', 'string', 'array', 'object'];

export function value(random, depth = 0) {
    const kind = random.below(depth > 2 ? 5 : 8);
    switch (kind) {
    case 0: return null;
    case 1: return random.chance(0.5);
    case 2:
    case 3: return random.pick(numbers);
    case 4: return random.pick(texts);
    case 5: return Array.from({ length: random.below(5) }, () => value(random, depth + 1));
    default: {
        const object = {};
        for (const name of random.some(names, 5))
            object[name] = value(random, depth + 1);
        return object;
    }
    }
}

/* A schema of one dialect. What refers to definitions is sure to find them. */
export function schema(random, dialect) {
    const definitions = dialect === 'draft-07' ? 'definitions' : '$defs';
    const some = ['A', 'B', 'C/1', 'D~'].slice(0, random.below(5));
    const make = (depth) => one(random, dialect, depth, some, definitions);
    const whole = make(0);
    if (typeof whole === 'boolean')
        return whole;
    if (some.length > 0) {
        whole[definitions] = {};
        for (const name of some)
            whole[definitions][name] = make(1);
        if (random.chance(0.2) && dialect !== 'draft-07' && typeof whole[definitions].A === 'object') {
            whole[definitions].A.$anchor = 'here';
            if (random.chance(0.5))
                whole.allOf = [{ $ref: '#here' }, ...(whole.allOf ?? [])];
        }
    }
    return whole;
}

const pointer = (name) => name.replace(/~/g, '~0').replace(/\//g, '~1');

function one(random, dialect, depth, definitions, place) {
    const inner = () => one(random, dialect, depth + 1, definitions, place);
    const list = () => Array.from({ length: 1 + random.below(3) }, inner);
    const map = (most) => Object.fromEntries(random.some(names, most).map((name) => [name, inner()]));
    if (random.chance(depth === 0 ? 0.01 : 0.12))
        return random.chance(0.6);
    const made = {};
    if (definitions.length > 0 && random.chance(depth === 0 ? 0.1 : 0.2)) {
        made.$ref = random.chance(0.1) ? '#' : `#/${place}/${pointer(random.pick(definitions))}`;
        if (dialect === 'draft-07' || random.chance(0.5))
            return made;
    }
    const later = dialect !== 'draft-07';
    const newest = dialect === '2020-12';
    const count = 1 + random.below(depth > 2 ? 2 : 5);
    for (let i = 0; i < count; i++)
        keywords[random.below(keywords.length)](made, { random, inner, list, map, later, newest, depth });
    return made;
}

const deep = (make) => (made, with_) => {
    if (with_.depth < 3)
        make(made, with_);
};
const keywords = [
    (made, { random }) => { made.type = random.chance(0.3) ? [...new Set(random.some(types, 3)), random.pick(types)].filter((t, i, all) => all.indexOf(t) === i) : random.pick(types); },
    (made, { random }) => { made.type = random.pick(['object', 'array', 'object', 'string', 'number']); },
    (made, { random }) => { made.const = value(random, 1); },
    (made, { random }) => {
        made.enum = Array.from({ length: 1 + random.below(4) }, () => value(random, 1))
            .filter((v, i, all) => all.findIndex((w) => JSON.stringify(w) === JSON.stringify(v)) === i);
    },
    (made, { random }) => { made.multipleOf = random.pick([1, 2, 3, 0.5, 0.25, 0.1, 0.01, 1e-7, 7, 1.5]); },
    (made, { random }) => { made[random.pick(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'])] = random.pick(numbers); },
    (made, { random }) => { made[random.pick(['minLength', 'maxLength'])] = random.below(4); },
    (made, { random }) => { made.pattern = random.pick(patterns); },
    (made, { random }) => { made[random.pick(['minProperties', 'maxProperties'])] = random.below(4); },
    (made, { random }) => { made.required = [...new Set(random.some(names, 2))]; },
    (made, { random }) => { made[random.pick(['minItems', 'maxItems'])] = random.below(4); },
    (made) => { made.uniqueItems = true; },
    deep((made, { map }) => { made.properties = map(4); }),
    deep((made, { map }) => { made.properties = map(4); }),
    deep((made, { random, inner }) => { made.patternProperties = { [random.pick(patterns)]: inner() }; }),
    deep((made, { random, inner }) => { made.additionalProperties = random.chance(0.4) ? false : inner(); }),
    deep((made, { inner }) => { made.propertyNames = inner(); }),
    deep((made, { random, later }) => { made[later ? 'dependentRequired' : 'dependencies'] = { [random.pick(names)]: [random.pick(names)] }; }),
    deep((made, { random, inner, later }) => { made[later ? 'dependentSchemas' : 'dependencies'] = { [random.pick(names)]: inner() }; }),
    deep((made, { inner }) => { made.items = inner(); }),
    deep((made, { list, newest }) => { made[newest ? 'prefixItems' : 'items'] = list(); }),
    deep((made, { list, inner, newest }) => { made[newest ? 'prefixItems' : 'items'] = list(); made[newest ? 'items' : 'additionalItems'] = inner(); }),
    deep((made, { inner }) => { made.contains = inner(); }),
    deep((made, { random, inner, later }) => {
        made.contains = inner();
        if (later) {
            made.minContains = random.below(3);
            if (random.chance(0.5))
                made.maxContains = random.below(3) + made.minContains;
        }
    }),
    deep((made, { list }) => { made.allOf = list(); }),
    deep((made, { list }) => { made.anyOf = list(); }),
    deep((made, { list }) => { made.oneOf = list(); }),
    deep((made, { inner }) => { made.not = inner(); }),
    deep((made, { random, inner }) => {
        made.if = inner();
        if (random.chance(0.7))
            made.then = inner();
        if (random.chance(0.7))
            made.else = inner();
    }),
    deep((made, { random, inner, later }) => { if (later) made.unevaluatedProperties = random.chance(0.5) ? false : inner(); }),
    deep((made, { random, inner, later }) => { if (later) made.unevaluatedItems = random.chance(0.5) ? false : inner(); }),
];

/* A value made for a schema: what it asks for, as far as a quick look tells, so that checks go
 * deep; now and then something else. */
export function near(random, made, root, depth = 0) {
    if (depth > 6 || typeof made !== 'object' || random.chance(0.12))
        return value(random, depth);
    if (made.$ref?.startsWith('#/')) {
        const found = made.$ref.slice(2).split('/').reduce(
            (at, step) => at?.[step.replace(/~1/g, '/').replace(/~0/g, '~')], root);
        return near(random, found, root, depth + 1);
    }
    if ('const' in made)
        return made.const;
    if (made.enum?.length > 0)
        return random.pick(made.enum);
    const branch = made.allOf ?? made.anyOf ?? made.oneOf;
    if (branch && random.chance(0.5))
        return near(random, random.pick(branch), root, depth + 1);
    const type = [made.type].flat()[0] ??
        (made.properties || made.required || made.patternProperties ? 'object'
            : made.items !== undefined || made.prefixItems || made.contains ? 'array' : undefined);
    if (type === 'object') {
        const object = {};
        for (const [name, inner] of Object.entries(made.properties ?? {})) {
            if (random.chance(0.7))
                object[name] = near(random, inner, root, depth + 1);
        }
        for (const name of made.required ?? [])
            object[name] ??= near(random, made.properties?.[name] ?? true, root, depth + 1);
        for (const name of random.some(names, 2))
            object[name] ??= near(random, made.additionalProperties ?? made.unevaluatedProperties ?? true, root, depth + 1);
        return object;
    }
    if (type === 'array') {
        const first = Array.isArray(made.items) ? made.items : made.prefixItems ?? [];
        const rest = Array.isArray(made.items) ? made.additionalItems : made.items;
        const length = random.below(5);
        return Array.from({ length }, (_, i) =>
            near(random, first[i] ?? rest ?? made.contains ?? true, root, depth + 1));
    }
    const simple = { string: texts, number: numbers, integer: [0, 1, 2, 3, -1, 10, 1e15],
                     boolean: [true, false], null: [null] }[type];
    return simple ? random.pick(simple) : value(random, depth);
}
