function size(this: string) { return this.length; }
const o = { last: "x", size };
o.size();
//! TS2684 3:1-3:2 This function is called on `{ last: string; size: (this: string) => number; }`, and its `this` must be `string`.
