// The npm packages bundled into the prelude, hardened: whatwg-url's parser (not its classes, whose
// wrappers show their inside to a program) and punycode's two conversions.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { harden } from "./harden.mjs";

// [pattern, replacement], each of which must be found.
const parserChanges = [
  [/^require\("@exodus\/bytes\/encoding.js"\);.*$/m, ""],
  [/const \{ percentEncodeAfterEncoding \} = require\("@exodus\/bytes\/whatwg.js"\);/,
    'import { percentEncodeAfterEncoding } from "./percent.js";'],
  [/const tr46 = require\("tr46"\);/, 'import { toASCII } from "./domain.js";'],
  [/const infra = require\("\.\/infra"\);/, 'import * as infra from "./ascii.js";'],
  [/const \{ utf8DecodeWithoutBOM \} = require\("\.\/encoding"\);/,
    'import { utf8DecodeWithoutBOM } from "./percent.js";'],
  [/const (\{ percentDecodeString[^}]*\}) = require\("\.\/percent-encoding"\);/,
    'import $1 from "./percent.js";'],
  [/tr46\.toASCII\(/g, "toASCII("],
  // A scheme must not be looked up among what every object has.
  [/const specialSchemes = \{/, "const specialSchemes = { __proto__: null,"],
  // The parser spells character codes as p("x"), a call for each comparison.
  [/\bp\("(\\?.)"\)/g, (all, c) => String(JSON.parse(`"${c}"`).codePointAt(0))],
  [/^module\.exports\.(\w+) = \1;$/gm, "export { $1 };"],
  [/^module\.exports\.(\w+) = function/gm, "export const $1 = function"],
  [/module\.exports\.(\w+)\(/g, "$1("],
];

function change(text, changes, file) {
  for (const [pattern, by] of changes) {
    if (text.search(pattern) < 0) throw new Error(`${file}: nothing matches ${pattern}`);
    text = text.replace(pattern, by);
  }
  return text;
}

/** @returns the captured built-ins they use, and a hook into esbuild's resolution */
export function thirdParty(parse, modules, work) {
  const used = new Set(["isNaN", "parseInt", "Array", "String", "RangeError"]);
  const made = {};
  const take = (name, path, changes) => {
    const text = change(readFileSync(join(modules, path), "utf8"), changes, path);
    const hardened = harden(parse, text, { file: path, sourceType: "module" });
    hardened.used.forEach((n) => used.add(n));
    made[name] = join(work, `${name}.js`);
    writeFileSync(made[name], hardened.text);
  };
  take("url-state-machine", "whatwg-url/lib/url-state-machine.js", parserChanges);
  take("punycode", "punycode/punycode.es6.js", []);
  return {
    used,
    setup(build) {
      for (const [name, path] of Object.entries(made)) {
        build.onResolve({ filter: new RegExp(`^${name}$`) }, () => ({ path }));
      }
    },
  };
}
