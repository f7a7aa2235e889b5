// Host names for URL. The real mapping table (UTS #46) is a quarter of a megabyte; this stands in
// for it. ASCII names, nearly all there are, come out exactly as they should. For the others the
// mapping is what Unicode itself gives: compatibility normalisation (NFKC) and lower case, the
// ignorable characters removed; a label is refused when it holds a character of a class that no
// host name may have. What can differ from the full table: characters newer than the engine's
// Unicode tables, and the finer rules for right-to-left labels and joiners.
import {
  ArrayPrototypeJoin, RegExp, RegExpPrototypeExec, RegExpPrototypeSymbolReplace,
  StringPrototypeCodePointAt, StringPrototypeIncludes, StringPrototypeNormalize,
  StringPrototypeSlice, StringPrototypeSplit, StringPrototypeStartsWith, StringPrototypeToLowerCase,
} from "primordials";
import { decode as punycodeDecode, encode as punycodeEncode } from "punycode";

const hasNonAscii = (text) => {
  for (let i = 0; i < text.length; i++) {
    if (StringPrototypeCodePointAt(text, i) > 127) return true;
  }
  return false;
};

const pattern = (text) => new RegExp(text, "gu");

// Compiled at the first name that needs them: most runs never do, and the image stays small.
let patterns;
function getPatterns() {
  patterns ??= {
    __proto__: null,
    // Compatibility forms that hold a dot would become one.
    dotted: pattern("[\\u2024-\\u2026\\u2488-\\u249b\\u33c2\\u33c7\\u33d8]"),
    ignored: pattern("[\\u00ad\\u034f\\u180b-\\u180d\\u180f\\u200b\\u2060\\u2064" +
      "\\ufe00-\\ufe0f\\ufeff]"),
    dots: pattern("[\\u3002\\uff0e\\uff61]"),
    afterVirama: pattern("(?<=[\\u094d\\u09cd\\u0a4d\\u0acd\\u0b4d\\u0bcd\\u0c4d\\u0ccd\\u0d4d" +
      "\\u0dca\\u1039\\u17d2])[\\u200c\\u200d]"),
    betweenLetters: pattern("(?<=[\\p{Script=Arabic}\\p{Script=Syriac}]\\p{M}*)\\u200c" +
      "(?=\\p{M}*[\\p{Script=Arabic}\\p{Script=Syriac}])"),
    mark: pattern("^\\p{M}"),
    refused: pattern("[\\p{Cc}\\p{Cs}\\p{Co}\\p{Cn}\\p{Z}\\u061c\\u115f\\u1160\\u17b4\\u17b5" +
      "\\u1806\\u180e\\u200e\\u200f\\u202a-\\u202e\\u2061-\\u2063\\u2066-\\u206f\\u2ff0-\\u2fff\\u3164\\uffa0" +
      "\\ufff9-\\ufffd\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}]"),
    rightToLeft: pattern("(?=\\p{L})[\\p{Script=Hebrew}\\p{Script=Arabic}\\p{Script=Syriac}" +
      "\\p{Script=Thaana}\\p{Script=Nko}]"),
    leftToRight: pattern("[a-z\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}]"),
  };
  return patterns;
}

const replaceIn = (found, text, by) => RegExpPrototypeSymbolReplace(found, text, by);
const matches = (found, text) => {
  found.lastIndex = 0;
  return RegExpPrototypeExec(found, text) !== null;
};

// Lower case one character at a time: in a word, a final sigma would become another letter.
function lowerEach(text) {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const length = StringPrototypeCodePointAt(text, i) > 0xffff ? 2 : 1;
    const character = StringPrototypeSlice(text, i, i + length);
    out += character === "\u1e9e" ? "ss" : StringPrototypeToLowerCase(character);
    i += length - 1;
  }
  return out;
}

function map(text) {
  const { ignored, dots } = getPatterns();
  const plain = replaceIn(dots, replaceIn(ignored, text, ""), ".");
  const folded = StringPrototypeNormalize(plain, "NFKC");
  return StringPrototypeNormalize(lowerEach(folded), "NFKC");
}

// Joiners stand after a virama, or the non-joiner between letters of a joining script.
function hasStrayJoiner(label) {
  const { afterVirama, betweenLetters } = getPatterns();
  const rest = replaceIn(betweenLetters, replaceIn(afterVirama, label, ""), "");
  return StringPrototypeIncludes(rest, "\u200c") || StringPrototypeIncludes(rest, "\u200d");
}

function isValidLabel(label, bidi) {
  const { mark, refused, rightToLeft, leftToRight } = getPatterns();
  if (label === "") return true;
  if (matches(mark, label) || matches(refused, label)) return false;
  if (map(label) !== label || hasStrayJoiner(label)) return false;
  return !bidi || !(matches(rightToLeft, label) && matches(leftToRight, label));
}

function decodeLabel(label) {
  try {
    const decoded = punycodeDecode(StringPrototypeSlice(label, 4));
    return hasNonAscii(decoded) && punycodeEncode(decoded) === StringPrototypeSlice(label, 4)
      ? decoded : undefined;
  } catch {
    return undefined;
  }
}

/** The ASCII form of a host name, or null when it is none. */
export function toASCII(domain) {
  const ascii = !hasNonAscii(domain);
  if (!ascii && matches(getPatterns().dotted, domain)) return null;
  const lower = ascii ? StringPrototypeToLowerCase(domain) : map(domain);
  if (ascii && !StringPrototypeIncludes(lower, "xn--")) return lower;
  const labels = StringPrototypeSplit(lower, ".");
  const decoded = [];
  for (let i = 0; i < labels.length; i++) {
    const encoded = StringPrototypeStartsWith(labels[i], "xn--");
    const label = encoded ? decodeLabel(labels[i]) : labels[i];
    if (label === undefined) return null;
    decoded[i] = label;
  }
  const bidi = matches(getPatterns().rightToLeft, ArrayPrototypeJoin(decoded, "."));
  for (let i = 0; i < labels.length; i++) {
    if (hasNonAscii(decoded[i]) && !isValidLabel(decoded[i], bidi)) return null;
    if (hasNonAscii(labels[i])) labels[i] = `xn--${punycodeEncode(labels[i])}`;
  }
  return ArrayPrototypeJoin(labels, ".");
}
