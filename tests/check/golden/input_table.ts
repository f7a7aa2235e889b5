//? --input 'm={"a":1,"b":2}' --input 'groups={"x":[{"n":1}],"y":[]}' --input 'user={"name":"x","age":3}' --input 'empty={}'
const key = String(Math.random());
m[key].toFixed(1);
groups[key].map(row => row.n.toFixed(1) + row.m);
for (const k of Object.keys(groups)) groups[k].length;
m.a = 5;
user.nmae;
const { nane, age } = user;
user.age.length;
empty[key] = 1;
m[key].length;
const own = { nick: "x", age: 3 as const };
own[key];
//! TS2339 4:47-4:48 `{ n: number; }` has no property `m`.
//! TS2339 7:6-7:10 `{ name: string; age: number; }` has no property `nmae`.
//! TS2339 8:9-8:13 `{ name: string; age: number; }` has no property `nane`.
//! TS2339 9:10-9:16 `number` has no property `length`.
//! TS2339 11:8-11:14 `number` has no property `length`.
//! TS7053 13:1-13:9 `{ nick: string; age: 3; }` cannot be indexed by `string`: `{ nick: string; age: 3; }` has no index signature for `string`.
