// ours
// Huge and deep values: shown within Node's limits, in time that does not grow with the rest.
const big = Array.from({ length: 1e6 }, (_, i) => i); const text = "x".repeat(1e6);
const lines = []; 
console.log(big); console.log([text].length); console.log({ text }); console.log(new Set(big)); console.log(new Map(big.map((i) => [i, i]))); console.log(new Uint8Array(1e7)); console.log(new ArrayBuffer(1e7)); console.log(new Set(big).values()); console.log(new Map([[1, big]]));
const holes = []; holes[4e9] = 1; console.log(holes); const sparse = []; for (let i = 0; i < 2000; i++) sparse[i * 1000] = i; console.log(sparse); console.log(new Array(4294967295));
let deep = {}; for (let i = 0; i < 20000; i++) deep = { deep }; console.log(deep); console.dir(deep, { depth: null }); let list = []; for (let i = 0; i < 20000; i++) list = [list]; console.log(list); console.dir(list, { depth: Infinity }); let chain = {}; for (let i = 0; i < 20000; i++) chain = Object.create(chain); console.log(chain); let px = {}; for (let i = 0; i < 20000; i++) px = new Proxy(px, {}); console.log(px);
let err = new Error("0"); for (let i = 1; i < 3000; i++) err = new Error(String(i), { cause: err }); console.log(err); const agg = new AggregateError(Array.from({ length: 1000 }, () => new Error("x")), "many"); console.log(agg);
console.table(big.slice(0, 20000)); console.table(Array.from({ length: 2 }, () => Object.fromEntries(big.slice(0, 300).map((i) => ["c" + i, i])))); for (let i = 0; i < 1000; i++) console.group(); console.log("deep"); for (let i = 0; i < 1000; i++) console.groupEnd();
console.log("%s", text.length, "%s".repeat(1000)); console.log(Object.fromEntries(big.slice(0, 20000).map((i) => ["k" + i, i])) !== null); const wide = Object.fromEntries(big.slice(0, 3000).map((i) => ["k" + i, { a: { b: { c: 1 } } }])); console.log(wide); console.log("done");
//> done
