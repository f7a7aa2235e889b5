// Percent-encoding (URL Standard, section 1.3), in the shape the URL parser asks for.
import {
  ArrayPrototypePush, NumberPrototypeToString, StringFromCharCode, StringFromCodePoint,
  StringPrototypeCharCodeAt, StringPrototypeCodePointAt, StringPrototypeIncludes,
  StringPrototypeIndexOf, StringPrototypePadStart, StringPrototypeReplaceAll, StringPrototypeSlice,
  StringPrototypeToUpperCase, TypedArrayPrototypeGetLength, Uint8Array,
} from "primordials";
import { decode, encode } from "./native.js";

// Which ASCII characters each set encodes, a bit per set. C0 controls and all that is not ASCII are
// in every set.
const FRAGMENT = 1;
const QUERY = 2;
const SPECIAL_QUERY = 4;
const PATH = 8;
const USERINFO = 16;
const flags = new Uint8Array(128);

function mark(characters, bits) {
  for (let i = 0; i < characters.length; i++) {
    flags[StringPrototypeCharCodeAt(characters, i)] |= bits;
  }
}
mark(' "<>`', FRAGMENT);
mark(' "#<>', QUERY | SPECIAL_QUERY | PATH | USERINFO);
mark("'", SPECIAL_QUERY);
mark("?`{}", PATH | USERINFO);
mark("/:;=@[\\]^|", USERINFO);

export const isC0ControlPercentEncode = (c) => c <= 0x1f || c > 0x7e;
const inSet = (bit) => (c) => c <= 0x1f || c > 0x7e || (flags[c] & bit) !== 0;
export const isFragmentPercentEncode = inSet(FRAGMENT);
export const isPathPercentEncode = inSet(PATH);
export const isUserinfoPercentEncode = inSet(USERINFO);
export const extraQueryPercentEncodeChars = inSet(QUERY);
export const extraSpecialQueryPercentEncodeChars = inSet(SPECIAL_QUERY);

export function percentByte(byte) {
  const digits = StringPrototypeToUpperCase(NumberPrototypeToString(byte, 16));
  return `%${StringPrototypePadStart(digits, 2, "0")}`;
}

/** One code point; `encodes` says whether its set holds a byte. */
export function utf8PercentEncodeCodePoint(point, encodes) {
  if (point < 0x80) return encodes(point) ? percentByte(point) : StringFromCharCode(point);
  const text = StringFromCodePoint(point);
  const bytes = encode(text);
  const length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
  let out = "";
  for (let i = 0; i < length; i++) out += percentByte(bytes[i]);
  return out;
}

export function utf8PercentEncodeString(text, encodes) {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const point = StringPrototypeCodePointAt(text, i);
    if (point > 0xffff) i++;
    out += utf8PercentEncodeCodePoint(point, encodes);
  }
  return out;
}

/** The only encoding is UTF-8, so the parser's encoding argument is passed over. */
export const percentEncodeAfterEncoding = (encoding, text, encodes) =>
  utf8PercentEncodeString(text, encodes);

const hexValue = (byte) => {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 32;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
};

/** Percent-decodes and reads the bytes as UTF-8; a text without `%` is its own answer. */
export function percentDecodeString(text) {
  if (!StringPrototypeIncludes(text, "%")) return text;
  const bytes = encode(text);
  const length = TypedArrayPrototypeGetLength(bytes);
  let end = 0;
  for (let i = 0; i < length; i++) {
    const high = bytes[i] === 37 && i + 2 < length ? hexValue(bytes[i + 1]) : -1;
    const low = high < 0 ? -1 : hexValue(bytes[i + 2]);
    if (low < 0) {
      bytes[end++] = bytes[i];
    } else {
      bytes[end++] = high * 16 + low;
      i += 2;
    }
  }
  return decode(bytes, 0, 0, end)[0];
}

/** percentDecodeString has done it. */
export const utf8DecodeWithoutBOM = (text) => text;

// application/x-www-form-urlencoded: what stays as it is beside letters and digits.
const FORM_KEPT = "*-._";

function formEncode(text) {
  let out = "";
  for (let i = 0; i < text.length; i++) {
    const point = StringPrototypeCodePointAt(text, i);
    if (point > 0xffff) i++;
    const letter = point | 32;
    if ((letter >= 97 && letter <= 122 && point < 128) || (point >= 48 && point <= 57)) {
      out += StringFromCharCode(point);
    } else if (point === 32) {
      out += "+";
    } else {
      out += utf8PercentEncodeCodePoint(point, (c) =>
        c > 127 || !StringPrototypeIncludes(FORM_KEPT, StringFromCharCode(c)));
    }
  }
  return out;
}

/** `list` is name, value, name, value, ... */
export function serializeForm(list) {
  let out = "";
  for (let i = 0; i < list.length; i += 2) {
    out += `${i === 0 ? "" : "&"}${formEncode(list[i])}=${formEncode(list[i + 1])}`;
  }
  return out;
}

/** The names and values of a query, `+` read as a space. */
export function parseForm(query) {
  const list = [];
  let from = 0;
  while (from <= query.length) {
    let end = StringPrototypeIndexOf(query, "&", from);
    if (end === -1) end = query.length;
    if (end > from) {
      const part = StringPrototypeReplaceAll(StringPrototypeSlice(query, from, end), "+", " ");
      const equal = StringPrototypeIndexOf(part, "=");
      const name = equal === -1 ? part : StringPrototypeSlice(part, 0, equal);
      const value = equal === -1 ? "" : StringPrototypeSlice(part, equal + 1);
      ArrayPrototypePush(list, percentDecodeString(name));
      ArrayPrototypePush(list, percentDecodeString(value));
    }
    from = end + 1;
  }
  return list;
}
