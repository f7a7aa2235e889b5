// Blob and File (File API), without streams.
import {
  ArrayPrototypePush, StringPrototypeCharCodeAt, StringPrototypeSlice,
  StringPrototypeToLowerCase, SymbolIterator,
  TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength,
  TypedArrayPrototypeGetByteOffset, TypedArrayPrototypeSet, TypeError, Uint8Array,
} from "primordials";
import { decode, encode, wall } from "./native.js";
import { toText, toWellFormedText } from "./convert.js";
import { codedError, invalidThis, missingArguments } from "./errors.js";
import { isAnyArrayBuffer, isDataView, isTypedArray } from "./inspect_types.js";
import { showInstances } from "./own_inspectors.js";
import { bytesOf } from "./text_codec.js";
import { expose } from "./web_parts.js";

export const noStreams = () => new TypeError("there are no streams here: read it whole, by " +
  "text(), json(), bytes() or arrayBuffer()");

export const isBytes = (value) =>
  isAnyArrayBuffer(value) || isDataView(value) || isTypedArray(value);

/** A copy of its own. */
export const copyOf = (value) => new Uint8Array(bytesOf(value));

/** A copy of a part. */
export const partOf = (bytes, from, to) =>
  new Uint8Array(new Uint8Array(TypedArrayPrototypeGetBuffer(bytes),
    TypedArrayPrototypeGetByteOffset(bytes) + from, to - from));

/** Bytes as text, a mark of their order left out. */
export function textOf(bytes) {
  const text = decode(bytes, 0, 0)[0];
  return StringPrototypeCharCodeAt(text, 0) === 0xfeff ? StringPrototypeSlice(text, 1) : text;
}

export function joinBytes(parts) {
  let length = 0;
  for (let i = 0; i < parts.length; i++) length += TypedArrayPrototypeGetByteLength(parts[i]);
  const all = new Uint8Array(length);
  length = 0;
  for (let i = 0; i < parts.length; i++) {
    TypedArrayPrototypeSet(all, parts[i], length);
    length += TypedArrayPrototypeGetByteLength(parts[i]);
  }
  return all;
}

function typeText(value) {
  const text = toText(value);
  for (let i = 0; i < text.length; i++) {
    const code = StringPrototypeCharCodeAt(text, i);
    if (code < 0x20 || code > 0x7e) return "";
  }
  return StringPrototypeToLowerCase(text);
}

// A place in it: counted from its end when negative, and never outside.
function placeIn(length, at) {
  at = +at || 0;
  at -= at % 1;
  if (at < 0) at += length;
  return at < 0 ? 0 : at > length ? length : at;
}

let isBlob;
let blobBytes;
let blobType;

export class Blob {
  #bytes;
  #type = "";

  static {
    isBlob = (value) => typeof value === "object" && value !== null && #bytes in value;
    blobBytes = (blob) => {
      if (!isBlob(blob)) throw invalidThis("Blob");
      return blob.#bytes;
    };
    blobType = (blob) => blob.#type;
  }

  constructor(sources = [], options = undefined) {
    if (sources === null || typeof sources !== "object" ||
        typeof sources[SymbolIterator] !== "function") {
      throw codedError(TypeError, "ERR_INVALID_ARG_TYPE", 'The "sources" argument must be a ' +
        `sequence. Received type ${typeof sources} (${
          typeof sources === "string" ? `'${sources}'` : String(sources)})`);
    }
    const parts = [];
    for (const part of sources) {
      ArrayPrototypePush(parts, isBlob(part) ? part.#bytes
        : isBytes(part) ? copyOf(part) : encode(toWellFormedText(part)));
    }
    this.#bytes = joinBytes(parts);
    if (options?.type !== undefined) this.#type = typeText(options.type);
  }

  get type() {
    blobBytes(this);
    return this.#type;
  }

  get size() { return TypedArrayPrototypeGetByteLength(blobBytes(this)); }

  slice(start = 0, end = undefined, type = "") {
    const bytes = blobBytes(this);
    const size = TypedArrayPrototypeGetByteLength(bytes);
    const from = placeIn(size, start);
    const to = end === undefined ? size : placeIn(size, end);
    const blob = new Blob([], { type });
    blob.#bytes = partOf(bytes, from, to < from ? from : to);
    return blob;
  }

  async arrayBuffer() { return TypedArrayPrototypeGetBuffer(copyOf(blobBytes(this))); }
  async text() { return textOf(blobBytes(this)); }
  async bytes() { return copyOf(blobBytes(this)); }
  stream() { throw noStreams(); }
}

const factsOf = (blob) => ({
  size: TypedArrayPrototypeGetByteLength(blobBytes(blob)), type: blobType(blob),
});

expose(Blob, "Blob", ["type", "size", "slice", "arrayBuffer", "text", "bytes", "stream"]);
showInstances(Blob.prototype, {
  facts: (blob) => (isBlob(blob) ? factsOf(blob) : undefined),
  keepDepth: true,
});

let fileFacts;

export class File extends Blob {
  #name;
  #lastModified;

  static {
    fileFacts = (file) => {
      if (!isBlob(file) || !(#name in file)) throw invalidThis("File");
      return { name: file.#name, lastModified: file.#lastModified };
    };
  }

  constructor(bits, name, options = undefined) {
    if (arguments.length < 2) throw missingArguments("fileBits", "fileName");
    super(bits, options);
    this.#name = toWellFormedText(name);
    this.#lastModified = options?.lastModified === undefined
      ? wall() - wall() % 1 : (+options.lastModified || 0);
  }

  get name() { return fileFacts(this).name; }
  get lastModified() { return fileFacts(this).lastModified; }
}

expose(File, "File", ["name", "lastModified"]);
showInstances(File.prototype, {
  facts: (file) => (isBlob(file) ? { ...factsOf(file), ...fileFacts(file) } : undefined),
  keepDepth: true,
});

export { blobBytes, blobType, isBlob };
