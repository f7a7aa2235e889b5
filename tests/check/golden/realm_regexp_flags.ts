#!/usr/bin/env tenon
const a = /[\p{L}--[a-z]]/v.test("é");
const b: string = /(?<year>\d{4})-x|(?<year>\d{4})/.exec("2020")!.groups!.year;
const c = /(?i:a)b/d.exec("Ab")!.indices![0];
return [a, b, c, b.nope];
//! TS2339 5:20-5:24 `string` has no property `nope`.
