// title: a big integer beside a cycle
// expect: value:{"n":{"$type":"bigint","value":"10"},"o":{"self":{"$type":"circular","path":"$.o"}}}
const o = {}; o.self = o; return { n: 10n, o };
