// FormData (XMLHttpRequest Standard, section 5), and the two ways it is written: multipart/form-data
// (RFC 7578) and as a query.
import {
  ArrayPrototypePush, ArrayPrototypeSplice, NumberPrototypeToString, RegExp, RegExpPrototypeExec,
  StringPrototypeReplaceAll, TypedArrayPrototypeGetByteLength, TypeError,
  Uint8Array,
} from "primordials";
import { encode, random } from "./native.js";
import { toWellFormedText } from "./convert.js";
import { showInstances } from "./own_inspectors.js";
import { blobBytes, blobType, File, isBlob, joinBytes, partOf, textOf } from "./blob.js";
import { expose, illegal, iterable, need } from "./web_parts.js";

let listOf;
let isForm;

export class FormData {
  #list = []; // [name, value]

  static {
    isForm = (value) => typeof value === "object" && value !== null && #list in value;
    listOf = (form) => {
      if (!isForm(form)) throw illegal();
      return form.#list;
    };
  }

  constructor(form = undefined) {
    if (form !== undefined) {
      throw new TypeError(
        "FormData constructor: Argument 1 could not be converted to: undefined.");
    }
  }

  static #entry(where, count, name, value, filename) {
    need(`FormData.${where}`, count, 2);
    name = toWellFormedText(name);
    if (!isBlob(value)) {
      if (count > 2) {
        throw new TypeError(
          `Failed to execute '${where}' on 'FormData': parameter 2 is not of type 'Blob'`);
      }
      return [name, toWellFormedText(value)];
    }
    if (value instanceof File && count < 3) return [name, value];
    const more = { type: blobType(value) };
    if (value instanceof File) more.lastModified = value.lastModified;
    return [name, new File([value], count > 2 ? toWellFormedText(filename)
      : "blob", more)];
  }

  append(name, value, filename = undefined) {
    ArrayPrototypePush(listOf(this),
      FormData.#entry("append", arguments.length, name, value, filename));
  }

  set(name, value, filename = undefined) {
    const list = listOf(this);
    const entry = FormData.#entry("set", arguments.length, name, value, filename);
    let found = false;
    for (let i = 0; i < list.length; ) {
      if (list[i][0] === entry[0] && found) {
        ArrayPrototypeSplice(list, i, 1);
        continue;
      }
      if (list[i][0] === entry[0]) {
        list[i] = entry;
        found = true;
      }
      i++;
    }
    if (!found) ArrayPrototypePush(list, entry);
  }

  delete(name) {
    const list = listOf(this);
    need("FormData.delete", arguments.length, 1);
    name = toWellFormedText(name);
    for (let i = list.length - 1; i >= 0; i--) {
      if (list[i][0] === name) ArrayPrototypeSplice(list, i, 1);
    }
  }

  getAll(name) {
    const list = listOf(this);
    need("FormData.getAll", arguments.length, 1);
    name = toWellFormedText(name);
    const values = [];
    for (let i = 0; i < list.length; i++) {
      if (list[i][0] === name) ArrayPrototypePush(values, list[i][1]);
    }
    return values;
  }

  get(name) {
    need("FormData.get", arguments.length, 1);
    const list = listOf(this);
    name = toWellFormedText(name);
    for (let i = 0; i < list.length; i++) if (list[i][0] === name) return list[i][1];
    return null;
  }

  has(name) {
    need("FormData.has", arguments.length, 1);
    const list = listOf(this);
    name = toWellFormedText(name);
    for (let i = 0; i < list.length; i++) if (list[i][0] === name) return true;
    return false;
  }
}

expose(FormData, "FormData", ["append", "delete", "get", "getAll", "has", "set"]);
iterable(FormData, "FormData", listOf);
showInstances(FormData.prototype, {
  facts(form) {
    const list = listOf(form);
    const shown = {};
    for (let i = 0; i < list.length; i++) {
      const { 0: name, 1: value } = list[i];
      if (!(name in shown)) shown[name] = value;
      else if (typeof shown[name] === "object" && !isBlob(shown[name])) {
        ArrayPrototypePush(shown[name], value);
      } else shown[name] = [shown[name], value];
    }
    return shown;
  },
  keepDepth: true,
});

// ---- written ----

const quoted = (text) => StringPrototypeReplaceAll(StringPrototypeReplaceAll(
  StringPrototypeReplaceAll(text, "\n", "%0A"), "\r", "%0D"), '"', "%22");
const withBreaks = (text) => StringPrototypeReplaceAll(StringPrototypeReplaceAll(
  StringPrototypeReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n", "\r\n");

/** The bytes of a form, and the type that says how to read them. */
export function writeForm(form) {
  const list = listOf(form);
  const key = new Uint8Array(16);
  random(key);
  let boundary = "----formdata-";
  for (let i = 0; i < 16; i++) boundary += NumberPrototypeToString(key[i] & 15, 16);
  const parts = [];
  for (let i = 0; i < list.length; i++) {
    const { 0: name, 1: value } = list[i];
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${
      quoted(withBreaks(name))}"`;
    if (typeof value === "string") {
      ArrayPrototypePush(parts, encode(`${head}\r\n\r\n${withBreaks(value)}\r\n`));
      continue;
    }
    ArrayPrototypePush(parts, encode(`${head}; filename="${quoted(value.name)}"\r\nContent-Type: ${
      blobType(value) || "application/octet-stream"}\r\n\r\n`));
    ArrayPrototypePush(parts, blobBytes(value));
    ArrayPrototypePush(parts, encode("\r\n"));
  }
  ArrayPrototypePush(parts, encode(`--${boundary}--\r\n`));
  return { bytes: joinBytes(parts), type: `multipart/form-data; boundary=${boundary}` };
}

// ---- read ----

// Where the bytes of `wanted` stand in `bytes`, from `from` on; -1: nowhere.
function find(bytes, wanted, from) {
  const last = TypedArrayPrototypeGetByteLength(bytes) - TypedArrayPrototypeGetByteLength(wanted);
  const length = TypedArrayPrototypeGetByteLength(wanted);
  for (let at = from; at <= last; at++) {
    let same = 0;
    while (same < length && bytes[at + same] === wanted[same]) same++;
    if (same === length) return at;
  }
  return -1;
}

const parameter = (text, name) => {
  const found = RegExpPrototypeExec(
    new RegExp(`[;\\s]${name}=(?:"([^"]*)"|([^\\s;"]+))`, "i"), text);
  const value = found && (found[1] ?? found[2]);
  return value && StringPrototypeReplaceAll(StringPrototypeReplaceAll(
    StringPrototypeReplaceAll(value, "%0A", "\n"), "%0D", "\r"), "%22", '"');
};

/** The form that these bytes are; null: they are none. */
export function readForm(bytes, type) {
  const boundary = parameter(type, "boundary");
  if (!boundary) return null;
  const line = encode(`--${boundary}`);
  const length = TypedArrayPrototypeGetByteLength(line);
  const next = encode(`\r\n--${boundary}`);
  const gap = encode("\r\n\r\n");
  const form = new FormData();
  let at = find(bytes, line, 0);
  if (at < 0) return null;
  for (at += length; bytes[at] === 13 && bytes[at + 1] === 10; ) {
    const body = find(bytes, gap, at);
    const end = body < 0 ? -1 : find(bytes, next, body + 2);
    if (end < 0) return null;
    const head = textOf(partOf(bytes, at, body));
    const name = parameter(head, "name");
    const file = parameter(head, "filename");
    const content = partOf(bytes, body + 4 > end ? end : body + 4, end);
    if (name === null || name === undefined) return null;
    if (file === null || file === undefined) form.append(name, textOf(content));
    else {
      const kind = RegExpPrototypeExec(new RegExp("\r\nContent-Type: *([^\r\n]*)", "i"), head);
      form.append(name, new File([content], file, { type: kind?.[1] ?? "text/plain" }));
    }
    at = end + length + 2;
  }
  return bytes[at] === 45 && bytes[at + 1] === 45 ? form : null;
}

export { isForm, listOf as formList };
