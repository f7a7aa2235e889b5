// TextEncoder and TextDecoder (Encoding Standard, sections 7.3 and 7.4): UTF-8, UTF-16LE and
// windows-1252 under all their names. Other encodings are refused by name.
import {
  DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset,
  ObjectDefineProperties, RangeError, SafeMap, StringPrototypeCharCodeAt, StringPrototypeSlice,
  StringPrototypeSplit, StringPrototypeToLowerCase, StringPrototypeTrim, SymbolToStringTag,
  TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetLength, TypedArrayPrototypeGetSymbolToStringTag, TypedArrayPrototypeSet,
  TypeError, Uint8Array,
} from "primordials";
import { decode, encode } from "./native.js";
import { toText } from "./convert.js";
import { codedError, invalidThis } from "./errors.js";
import { isAnyArrayBuffer, isDataView, isTypedArray } from "./inspect_types.js";
import { showInstances } from "./own_inspectors.js";

const visible = { __proto__: null, enumerable: true };
const tag = (value) => ({ __proto__: null, configurable: true, value });
const isObject = (value) => typeof value === "object" && value !== null;

const notBytes = (name, kinds) => codedError(TypeError, "ERR_INVALID_ARG_TYPE",
  `The "${name}" argument must be an instance of ${kinds}.`);

export class TextEncoder {
  #brand = true;

  get encoding() {
    if (!isObject(this) || !(#brand in this)) throw invalidThis("TextEncoder");
    return "utf-8";
  }

  encode(input = "") {
    if (!isObject(this) || !(#brand in this)) throw invalidThis("TextEncoder");
    return encode(toText(input));
  }

  encodeInto(source, destination) {
    if (!isObject(this) || !(#brand in this)) throw invalidThis("TextEncoder");
    if (typeof source !== "string") {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE",
        'The "src" argument must be of type string.');
    }
    if (!isTypedArray(destination) ||
        TypedArrayPrototypeGetSymbolToStringTag(destination) !== "Uint8Array") {
      throw notBytes("dest", "Uint8Array");
    }
    const bytes = encode(source);
    const length = TypedArrayPrototypeGetLength(bytes);
    const room = TypedArrayPrototypeGetLength(destination);
    if (length <= room) {
      TypedArrayPrototypeSet(destination, bytes);
      return { read: source.length, written: length };
    }
    return copyWhole(bytes, room, destination);
  }
}

// Characters are copied whole: those that do not fit are left out.
function copyWhole(bytes, room, destination) {
  let read = 0;
  let at = 0;
  for (;;) {
    const lead = bytes[at];
    const size = lead < 0x80 ? 1 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
    if (at + size > room) return { read, written: at };
    for (let i = 0; i < size; i++) destination[at + i] = bytes[at + i];
    at += size;
    read += size === 4 ? 2 : 1;
  }
}

const UTF8 = 0;
const UTF16 = 1;
const LATIN1 = 2;
const names = ["utf-8", "utf-16le", "windows-1252"];

const labels = new SafeMap();
function label(codec, list) {
  const all = StringPrototypeSplit(list, " ");
  for (let i = 0; i < all.length; i++) labels.set(all[i], codec);
}
label(UTF8, "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf-8 utf8 x-unicode20utf8");
label(UTF16, "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16 utf-16le");
label(LATIN1, "ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 " +
  "iso8859-1 iso88591 iso_8859-1 iso_8859-1:1987 l1 latin1 us-ascii windows-1252 x-cp1252");

// The bytes of a buffer or view as a Uint8Array of the same memory.
export function bytesOf(input) {
  if (input === undefined) return new Uint8Array(0);
  if (isAnyArrayBuffer(input)) return new Uint8Array(input);
  if (isDataView(input)) {
    return new Uint8Array(DataViewPrototypeGetBuffer(input), DataViewPrototypeGetByteOffset(input),
      DataViewPrototypeGetByteLength(input));
  }
  if (!isTypedArray(input)) throw notBytes("list", "ArrayBuffer or ArrayBufferView");
  return new Uint8Array(TypedArrayPrototypeGetBuffer(input),
    TypedArrayPrototypeGetByteOffset(input), TypedArrayPrototypeGetByteLength(input));
}

function joined(before, bytes) {
  if (before === undefined) return bytes;
  const first = TypedArrayPrototypeGetLength(before);
  const all = new Uint8Array(first + TypedArrayPrototypeGetLength(bytes));
  TypedArrayPrototypeSet(all, before);
  TypedArrayPrototypeSet(all, bytes, first);
  return all;
}

// The last `count` bytes, copied.
function tailOf(bytes, count) {
  if (count === 0) return undefined;
  const from = TypedArrayPrototypeGetLength(bytes) - count;
  const out = new Uint8Array(count);
  for (let i = 0; i < count; i++) out[i] = bytes[from + i];
  return out;
}

let decoderFacts;

export class TextDecoder {
  #codec;
  #fatal;
  #ignoreBOM;
  #pending; // the beginning of a sequence that the next chunk finishes
  #begun = false; // the byte order mark is behind

  static {
    decoderFacts = (value) => {
      if (!(#codec in value)) return undefined;
      return { encoding: names[value.#codec], fatal: value.#fatal, ignoreBOM: value.#ignoreBOM };
    };
  }

  constructor(encoding = "utf-8", options = undefined) {
    const name = toText(encoding);
    const codec = labels.get(StringPrototypeToLowerCase(StringPrototypeTrim(name)));
    if (codec === undefined) {
      throw codedError(RangeError, "ERR_ENCODING_NOT_SUPPORTED",
        `The "${name}" encoding is not supported`);
    }
    this.#codec = codec;
    this.#fatal = !!options?.fatal;
    this.#ignoreBOM = !!options?.ignoreBOM;
  }

  static #of(self) {
    if (!isObject(self) || !(#codec in self)) throw invalidThis("TextDecoder");
    return self;
  }

  decode(input = undefined, options = undefined) {
    TextDecoder.#of(this);
    const stream = !!options?.stream;
    const bytes = joined(this.#pending, bytesOf(input));
    this.#pending = undefined;
    const result = decode(bytes, this.#codec, (this.#fatal ? 1 : 0) | (stream ? 2 : 0));
    if (result === null) {
      this.#begun = false;
      throw codedError(TypeError, "ERR_ENCODING_INVALID_ENCODED_DATA",
        `The encoded data was not valid for encoding ${names[this.#codec]}`);
    }
    let text = result[0];
    if (text !== "" && !this.#begun && !this.#ignoreBOM && this.#codec !== LATIN1 &&
        StringPrototypeCharCodeAt(text, 0) === 0xfeff) {
      text = StringPrototypeSlice(text, 1);
    }
    this.#begun = stream && (this.#begun || result[0] !== "");
    if (stream) this.#pending = tailOf(bytes, result[1]);
    return text;
  }

  get encoding() { return names[TextDecoder.#of(this).#codec]; }
  get fatal() { return TextDecoder.#of(this).#fatal; }
  get ignoreBOM() { return TextDecoder.#of(this).#ignoreBOM; }
}

ObjectDefineProperties(TextEncoder.prototype, {
  encode: visible, encodeInto: visible, encoding: visible, [SymbolToStringTag]: tag("TextEncoder"),
});
ObjectDefineProperties(TextDecoder.prototype, {
  decode: visible, encoding: visible, fatal: visible, ignoreBOM: visible,
  [SymbolToStringTag]: tag("TextDecoder"),
});

showInstances(TextEncoder.prototype, {
  facts: () => ({ encoding: "utf-8" }), whole: true, named: false, keepDepth: true,
});
showInstances(TextDecoder.prototype, { facts: decoderFacts, whole: true, keepDepth: true });
