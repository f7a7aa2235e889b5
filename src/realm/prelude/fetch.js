// fetch (Fetch Standard, section 5.6). What a request may reach, and what goes along with it, is
// the host's to say: each method is a host function of its own ("fetch.get"), called like any other.
import {
  Array, ArrayIsArray, ArrayPrototypePush, JSONStringify, ObjectDefineProperty, Promise,
  PromisePrototypeThen, StringPrototypeIndexOf, StringPrototypeSlice, StringPrototypeToLowerCase,
  TypeError,
} from "primordials";
import { encode, uncurry } from "./native.js";
import { toText } from "./convert.js";
import { isAborted, reasonOf } from "./abort.js";
import { copyOf, isBytes } from "./blob.js";
import { newBody, useBody } from "./body.js";
import { EventTarget } from "./event_target.js";
import { Headers, headersList, lockHeaders, setType } from "./headers.js";
import { Request, requestParts } from "./request.js";
import { bodiless, giveResponse } from "./response.js";

const listen = uncurry(EventTarget.prototype.addEventListener);

// The host's functions stand under the name until this takes its place.
const host = globalThis.fetch;
const functions = { __proto__: null };
for (const name of ["get", "head", "options", "post", "put", "patch", "delete", "other", "abort"]) {
  functions[name] = host?.[name];
  if (host !== undefined) delete host[name];
}

function headersOf(pairs) {
  const headers = new Headers();
  const list = headersList(headers);
  for (let i = 0; i < pairs.length; i++) {
    const { 0: name, 1: value } = pairs[i];
    let at = name === "set-cookie" ? list.length : 0;
    while (at < list.length && list[at][0] !== name) at++;
    if (at === list.length) ArrayPrototypePush(list, [name, value, name]);
    else list[at][1] += `, ${value}`;
  }
  return headers;
}

// What stands for a body in an answer that did not come from a server (docs/policy.md).
function bytesOf(body, headers) {
  if (body === undefined || body === null) return null;
  if (typeof body === "string") return encode(body);
  if (isBytes(body)) return copyOf(body);
  setType(headers, "application/json");
  return encode(JSONStringify(body));
}

function responseTo(request, answer) {
  const whole = typeof answer === "object" && answer !== null && !isBytes(answer) &&
    !ArrayIsArray(answer) && ("status" in answer || "body" in answer);
  const given = whole ? answer : { body: answer };
  const headers = ArrayIsArray(given.headers) ? headersOf(given.headers)
    : new Headers(given.headers ?? undefined);
  const status = given.status ?? 200;
  const bytes = bytesOf(given.body, headers);
  const url = given.url ?? request.url;
  const mark = StringPrototypeIndexOf(url, "#");
  lockHeaders(headers);
  return giveResponse({
    type: "basic", status, statusText: given.statusText ?? "", headers,
    url: mark < 0 ? url : StringPrototypeSlice(url, 0, mark), redirected: given.redirected ?? false,
    body: newBody(bodiless.has(status) || request.method === "HEAD" ? null : bytes),
  });
}

// A failure as the standard has it, with why. It was made where fetch was called.
function failed(error, cause) {
  const set = (name, value, enumerable) => ObjectDefineProperty(error, name, {
    __proto__: null, value, writable: true, configurable: true, enumerable,
  });
  if (cause?.message) set("message", `fetch failed: ${toText(cause.message)}`, false);
  set("cause", cause, false);
  if (cause?.code !== undefined) set("code", cause.code, true);
  if (cause?.retryable !== undefined) set("retryable", cause.retryable, true);
  return error;
}

let last = 0;

function send(request, signal, resolve, reject) {
  const error = new TypeError("fetch failed");
  const number = ++last;
  const list = headersList(request.headers);
  const headers = [];
  for (let i = 0; i < list.length; i++) ArrayPrototypePush(headers, [list[i][2], list[i][1]]);
  const call = functions[StringPrototypeToLowerCase(request.method)];
  const order = {
    method: request.method, url: request.url, headers, redirect: request.redirect, number,
  };
  const bytes = useBody(request.body);
  if (bytes !== null) order.body = bytes;
  let open = true;
  listen(signal, "abort", () => {
    if (open) functions.abort(number);
    reject(reasonOf(signal));
  });
  const usual = call !== undefined && call !== functions.abort &&
    StringPrototypeToLowerCase(request.method) !== "other";
  PromisePrototypeThen((usual ? call : functions.other)(order), (answer) => {
    open = false;
    try {
      resolve(responseTo(request, answer));
    } catch (cause) {
      reject(failed(error, cause));
    }
  }, (cause) => {
    open = false;
    reject(failed(error, cause));
  });
}

export const { fetch } = {
  fetch(input, init = undefined) {
    return new Promise((resolve, reject) => {
      const request = requestParts(new Request(input, init));
      if (isAborted(request.signal)) throw reasonOf(request.signal);
      send(request, request.signal, resolve, reject);
    });
  },
};
ObjectDefineProperty(fetch, "length", { __proto__: null, value: 1 });
