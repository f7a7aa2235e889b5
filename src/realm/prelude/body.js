// Bodies (Fetch Standard, section 5.3): what can be one, and the ways to read one. There are no
// streams: a body is whole before it is read.
import {
  JSONParse, RegExp, RegExpPrototypeExec, StringPrototypeToLowerCase,
  TypedArrayPrototypeGetBuffer, TypeError, Uint8Array,
} from "primordials";
import { encode } from "./native.js";
import { toWellFormedText } from "./convert.js";
import { Blob, blobBytes, blobType, copyOf, isBlob, isBytes, noStreams, textOf } from "./blob.js";
import { FormData, isForm, readForm, writeForm } from "./form_data.js";
import { parseForm, serializeForm } from "./percent.js";
import { isParams, listOf } from "./url_search_params.js";

/** What is given as a body: {bytes, type}; bytes null: none. */
export function takeBody(value) {
  if (value === undefined || value === null) return { bytes: null, type: null };
  if (isBlob(value)) return { bytes: blobBytes(value), type: blobType(value) || null };
  if (isForm(value)) return writeForm(value);
  if (isParams(value)) {
    return {
      bytes: encode(serializeForm(listOf(value))),
      type: "application/x-www-form-urlencoded;charset=UTF-8",
    };
  }
  if (isBytes(value)) return { bytes: copyOf(value), type: null };
  return { bytes: encode(toWellFormedText(value)), type: "text/plain;charset=UTF-8" };
}

export const newBody = (bytes) => ({ __proto__: null, bytes, used: false });

/** A body for a copy; of one that was read there is none. */
export function copyBody(body, message) {
  if (body.used) throw new TypeError(message);
  return newBody(body.bytes);
}

/** Its bytes, which can be had once; null: there is no body. */
export function useBody(body, message = "Body is unusable: Body has already been read") {
  if (body.used) throw new TypeError(message);
  if (body.bytes !== null) body.used = true;
  return body.bytes;
}

const consume = (body) => useBody(body) ?? new Uint8Array(0);

async function formOf(bytes, type) {
  const kind = RegExpPrototypeExec(new RegExp("^[^;]*"), type ?? "")[0];
  switch (StringPrototypeToLowerCase(kind)) {
    case "multipart/form-data": {
      const form = readForm(bytes, type);
      if (form === null) throw new TypeError("Failed to parse body as FormData.");
      return form;
    }
    case "application/x-www-form-urlencoded": {
      const form = new FormData();
      const list = parseForm(textOf(bytes));
      for (let i = 0; i < list.length; i += 2) form.append(list[i], list[i + 1]);
      return form;
    }
    default:
      throw new TypeError("Content-Type was not one of \"multipart/form-data\" or " +
        '"application/x-www-form-urlencoded".');
  }
}

/** The members that read a body. `bodyOf(self)` throws for what has none; `typeOf(self)`: its
 * content type. */
export const bodyMembers = (bodyOf, typeOf) => ({
  get body() {
    if (bodyOf(this).bytes === null) return null;
    throw noStreams();
  },
  get bodyUsed() { return bodyOf(this).used; },
  async blob() { return new Blob([consume(bodyOf(this))], { type: typeOf(this) ?? "" }); },
  async arrayBuffer() { return TypedArrayPrototypeGetBuffer(copyOf(consume(bodyOf(this)))); },
  async text() { return textOf(consume(bodyOf(this))); },
  async json() { return JSONParse(textOf(consume(bodyOf(this)))); },
  async formData() { return formOf(consume(bodyOf(this)), typeOf(this)); },
  async bytes() { return copyOf(consume(bodyOf(this))); },
});
