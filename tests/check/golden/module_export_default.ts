//? --expect number
export default { name: "x", when: new Date(), tags: ["a"], m: new Map([["a", 1]]) };
//! TS2322 2:16-2:84 Expected `number`, found `{ name: string; when: Date; tags: string[]; m: Map<string, number>; }`.
