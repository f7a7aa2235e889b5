// title: kinds of values
// expect: value:{"$type":"undefined"}
// also: console log "Map(2) { 1 => { a: 2 }, 'k' => [ 1 ] } Set(2) { 'a', 1 } [ undefined, null, -0, NaN ] Symbol(s) [Function (anonymous)] [class A] [Function: f] 1970-01-01T00:00:00.000Z /x/g Uint8Array(2) [ 1, 2 ] [ <1 empty item>, 1 ] str [ 'str' ]"
// also: console log "null undefined true -0 12345678901234567890n "
// also: console log
// also: console log "[Object: null prototype] {} Foo { x: 1 } Promise { 4 } { a: 1 } [ 1.5, -0 ] { a: [Getter], b: [Setter] } { [Symbol(k)]: 1 }"
console.log(new Map([[1, { a: 2 }], ["k", [1]]]), new Set(["a", 1]), [undefined, null, -0, NaN], Symbol("s"), () => 1, class A {}, function f() {}, new Date(0), /x/g, new Uint8Array([1, 2]), [, 1], "str", ["str"]);
console.log(null, undefined, true, -0, 12345678901234567890n, "");
console.log();
console.log(Object.create(null), new (class Foo { x = 1 })(), Promise.resolve(4), new Proxy({ a: 1 }, {}), [1.5, -0], { get a() { return 1; }, set b(v) {} }, { [Symbol("k")]: 1 });
