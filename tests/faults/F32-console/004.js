// title: levels, in order
// expect: value:{"$type":"undefined"}
// also: console log "{ a: { b: { c: [Object] } } }"
// also: console debug d
// also: console error e
// also: console warn w
// also: console info i
// also: console-count 5
console.dir({ a: { b: { c: { d: 1 } } } });
console.debug("d"); console.error("e"); console.warn("w"); console.info("i");
