// The order of texts for localeCompare: the root collation (UCA with the weights of CLDR), for the
// characters in the tables below: ASCII, common punctuation, Latin letters with and without marks,
// Greek, Cyrillic, Hangul and Han. The engine's own order is that of the code units, where "Zebra"
// stands before "apple"; a text with any other character is refused, not put in a wrong place.
import {
  ArrayPrototypePush, SafeMap, StringFromCharCode, StringPrototypeCharCodeAt,
  StringPrototypeCodePointAt, StringPrototypeNormalize, StringPrototypeSlice,
  StringPrototypeToLowerCase, Uint32Array,
} from "primordials";

// In order. A character behind \x01 differs from the one before it in the third level only, one
// behind \x02 in the second.
const PUNCTUATION = "\t\n\v\f\r\x85 \x01\u00a0\x01\u202f_-‐\x01‑‒–—―,;:!¡?¿.·" +
  "'\x02‘\x02’\x02‚\x02‛‹›\"\x02“\x02”\x02„\x02‟«»()[]{}§¶@*/\\&#%‰†‡•′″`´^¯¨¸°©®+±÷×<=>¬|¦~¤¢$£¥€";
const DIGITS = "0123456789";
const LATIN = "abcdefghiıjklmnŋopqrstŧuvwxyzþ";
const GREEK = "αβγδεζηθικλμνξοπρσ\x01ςτυφχψω";
const CYRILLIC = "абвгдђеєжзѕиійјклљмнњопрстћуфхцчџшщъыьэюя";

// The combining marks, by weight, and letters that are another letter with a mark.
const MARKS = "\u0301\u0300\u0306\u0302\u030c\u030a\u0308\u030b\u0303\u0307\u0338\u0327\u0328" +
  "\u0304\u0335\u0309\u030f\u0311\u031b\u0323\u0324\u0325\u0326\u032d\u032e\u0330\u0331";
const SPELLED = {
  __proto__: null, ø: "o\u0338", đ: "d\u0335", ħ: "h\u0335", ł: "l\u0335", ð: "d\uffff",
  ґ: "г\uffff", æ: "a\uffffe", œ: "o\uffffe", ß: "s\uffffs", "…": "...",
};
const JOINED = "\uffff"; // weighs more than every mark

const COMMON = 1; // the second and third weight of what is nothing special
const UPPER = 8;
const VARIANT = 4;

// character -> { first, second, third }
const weights = new SafeMap();
let last = 0;

function addAll(characters) {
  let second = COMMON;
  let third = COMMON;
  for (let i = 0; i < characters.length; i++) {
    const character = characters[i];
    if (character === "\x01") third++;
    else if (character === "\x02") second++;
    else {
      const before = i === 0 ? "" : characters[i - 1];
      if (before !== "\x01" && before !== "\x02") {
        last++;
        second = third = COMMON;
      }
      weights.set(character, { __proto__: null, first: last, second, third });
    }
  }
}
addAll(PUNCTUATION);
addAll(DIGITS);
const LONGEST_NUMBER = 100000;
const firstDigit = weights.get("0").first;
last += LONGEST_NUMBER; // numbers compared by value go there
addAll(LATIN);
addAll(GREEK);
addAll(CYRILLIC);
for (let i = 0; i < MARKS.length; i++) {
  weights.set(MARKS[i], { __proto__: null, first: 0, second: 2 + i, third: COMMON });
}
weights.set(JOINED, { __proto__: null, first: 0, second: 1000, third: COMMON });

// First weights of ASCII; 0 for what is passed over.
const ascii = new Uint32Array(128);
for (let unit = 0; unit < 128; unit++) {
  const letter = StringPrototypeToLowerCase(StringFromCharCode(unit));
  ascii[unit] = weights.get(letter)?.first ?? 0;
}
const HANGUL = 0x110000;
const HAN = 0x220000;

const isIgnored = (unit) =>
  unit < 9 || (unit > 13 && unit < 32) || unit === 0xad ||
  (unit >= 0x7f && unit < 0xa0 && unit !== 0x85);

// The weights of one text, a list for each level.
class Key {
  constructor() {
    this.first = [];
    this.second = [];
    this.third = [];
  }
  add(first, second, third) {
    if (first !== 0) ArrayPrototypePush(this.first, first);
    ArrayPrototypePush(this.second, second);
    ArrayPrototypePush(this.third, third);
  }
}

function addKnown(key, character, third) {
  const found = weights.get(character);
  if (found === undefined) return false;
  key.add(found.first, found.second, third > found.third ? third : found.third);
  return true;
}

// False when the character has no place in the tables.
function addCharacter(key, character, unit) {
  if (unit >= 0xac00 && unit <= 0xd7a3) return key.add(HANGUL + unit, COMMON, COMMON), true;
  if (unit >= 0x4e00 && unit <= 0x9fff) return key.add(HAN + unit, COMMON, COMMON), true;
  const lower = StringPrototypeToLowerCase(character);
  const third = lower === character ? COMMON : UPPER;
  if (addKnown(key, lower, third)) return true;
  const spelled = SPELLED[lower] ?? StringPrototypeNormalize(lower, "NFD");
  if (spelled === lower) return false;
  for (let i = 0; i < spelled.length; i++) {
    const isMark = spelled[i] >= "\u0300";
    if (!addKnown(key, spelled[i], isMark ? COMMON : SPELLED[lower] === undefined ? third
      : third === UPPER ? UPPER + 1 : VARIANT)) return false;
  }
  return true;
}

const isDigit = (unit) => unit >= 48 && unit <= 57;

// A number's place is given by how many digits it has, then by these.
function addNumber(key, text, from) {
  let end = from;
  while (end < text.length && isDigit(StringPrototypeCharCodeAt(text, end))) end++;
  while (from < end - 1 && text[from] === "0") from++;
  key.add(firstDigit + 10 + (end - from), COMMON, COMMON);
  for (; from < end; from++) addKnown(key, text[from], COMMON);
  return end;
}

function keyOf(text, numeric, refuse) {
  const key = new Key();
  for (let i = 0; i < text.length; ) {
    const unit = StringPrototypeCharCodeAt(text, i);
    if (isIgnored(unit)) {
      i++;
    } else if (numeric && isDigit(unit)) {
      i = addNumber(key, text, i);
    } else {
      const size = StringPrototypeCodePointAt(text, i) > 0xffff ? 2 : 1;
      const character = StringPrototypeSlice(text, i, i + size);
      if (!addCharacter(key, character, unit)) refuse(character);
      i += size;
    }
  }
  return key;
}

function compareLists(a, b) {
  for (let i = 0; i < a.length && i < b.length; i++) {
    if (a[i] !== b[i]) return a[i] < b[i] ? -1 : 1;
  }
  return a.length === b.length ? 0 : a.length < b.length ? -1 : 1;
}

// Most texts differ in an early ASCII character, and that settles it. Undefined when it does not.
function compareAscii(a, b, levels) {
  let third = 0;
  for (let i = 0; ; i++) {
    if (i === a.length && i === b.length) return levels > 2 ? third : 0;
    const x = i < a.length ? StringPrototypeCharCodeAt(a, i) : -1;
    const y = i < b.length ? StringPrototypeCharCodeAt(b, i) : -1;
    if (x > 127 || y > 127) return undefined;
    const first = x < 0 ? 0 : ascii[x];
    const second = y < 0 ? 0 : ascii[y];
    if ((x >= 0 && first === 0) || (y >= 0 && second === 0)) return undefined;
    if (first !== second) return first < second ? -1 : 1;
    // the same letter in two cases: the capital has the smaller code
    if (x !== y && third === 0) third = x > y ? -1 : 1;
  }
}

/**
 * -1, 0 or 1.
 * @param levels  1 base letters only, 2 and marks, 3 and case
 * @param refuse  called with a character that has no place here; throws
 */
export function compareTexts(a, b, { levels, numeric, refuse }) {
  if (a === b) return 0;
  const settled = numeric ? undefined : compareAscii(a, b, levels);
  if (settled !== undefined) return settled;
  const first = keyOf(StringPrototypeNormalize(a, "NFC"), numeric, refuse);
  const second = keyOf(StringPrototypeNormalize(b, "NFC"), numeric, refuse);
  return compareLists(first.first, second.first) ||
    (levels > 1 && compareLists(first.second, second.second)) ||
    (levels > 2 && compareLists(first.third, second.third)) || 0;
}
