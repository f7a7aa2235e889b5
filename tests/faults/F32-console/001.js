// title: as Node prints it
// expect: value:{"$type":"undefined"}
// also: console log "{ a: [ 1, { b: 2 } ] } 1n %s %d %o <ref *1> { name: 'c', self: [Circular *1] }"
const circular = { name: "c" }; circular.self = circular;
console.log({ a: [1, { b: 2 }] }, 1n, "%s %d %o", circular);
