// title: formats
// expect: value:{"$type":"undefined"}
// also: console log "Bob is 42.5 years and 42, 1.5, {\"a\":1} [ 1, [length]: 1 ] { b: { c: { d: {} } } } % rest"
// also: console log "NaN %s"
// also: console log "100% 5"
console.log("%s is %d years and %i, %f, %j %o %O %c%%", "Bob", 42.5, 42.9, "1.5", { a: 1 }, [1], { b: { c: { d: {} } } }, "css", "rest");
console.log("%d", "x", "%s");
console.log("100%", 5);
