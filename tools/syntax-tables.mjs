#!/usr/bin/env node
// Writes the two tables of src/syntax that are computed: which code points make names (from this
// node's Unicode) and where each word of the language has its place in a perfect hash.
//   node tools/syntax-tables.mjs unicode > src/syntax/unicode_ranges.inc
//   node tools/syntax-tables.mjs words   > src/syntax/word_places.inc
import { readFileSync } from "node:fs";

function unicode() {
  // One line a range: first code point, length, whether these may begin a name.
  const kind = (c) => {
    const s = String.fromCodePoint(c);
    return /\p{ID_Start}/u.test(s) ? 2 : /\p{ID_Continue}/u.test(s) ? 1 : 0;
  };
  const ranges = [];
  for (let c = 0x80, k; c <= 0x10ffff; c++) {
    if (c >= 0xd800 && c <= 0xdfff) continue;
    if ((k = kind(c)) === 0) continue;
    const last = ranges.at(-1);
    if (last && last.kind === k && last.first + last.count === c) last.count++;
    else ranges.push({ first: c, count: 1, kind: k });
  }
  let line = "";
  for (const { first, count, kind } of ranges) {
    const item = `{0x${first.toString(16).toUpperCase()}, ${count}, ${kind === 2}}, `;
    if (line.length + item.length > 98) {
      console.log(line.trimEnd());
      line = "";
    }
    line += item;
  }
  console.log(line.trimEnd());
}

function words() {
  const text = readFileSync(new URL("../src/syntax/token.h", import.meta.url), "utf8");
  const part = text.slice(text.indexOf("#define TOKEN_WORDS"), text.indexOf("typedef enum Token"));
  const all = [...part.matchAll(/X\((\w+), "(\w+)"\)/g)].map((m) => [m[1], m[2]]);
  const place = (w, [a, b, c]) =>
    (w.length * a + w.charCodeAt(0) * b + w.charCodeAt(1) * c + w.charCodeAt(w.length - 1)) & 255;
  for (let a = 1; a < 256; a++)
    for (let b = 1; b < 256; b += 2)
      for (let c = 1; c < 256; c += 2) {
        const places = all.map(([, w]) => place(w, [a, b, c]));
        if (new Set(places).size !== all.length) continue;
        console.log(`#define WORD_BY_LENGTH ${a}u\n#define WORD_BY_FIRST ${b}u\n#define WORD_BY_SECOND ${c}u`);
        console.log("#define WORD_PLACES \\");
        const lines = all.map(([n], i) => `    [${places[i]}] = TOKEN_${n}`);
        console.log(lines.join(", \\\n"));
        return;
      }
  throw new Error("no perfect hash");
}

({ unicode, words })[process.argv[2]]();
