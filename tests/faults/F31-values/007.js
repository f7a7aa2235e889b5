// expect: value:{"self":{"$type":"circular","path":"$"}}
const o = {}; o.self = o; return o;
