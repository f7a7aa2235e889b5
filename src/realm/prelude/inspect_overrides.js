// The functions of Node's inspect that would run the program's code or reach for Node itself,
// written anew on the intrinsics (tools/prelude/node_inspect.mjs leaves the originals out).
import {
  ArrayBufferPrototypeGetByteLength, ArrayPrototypeJoin, ArrayPrototypePush, ArrayPrototypeSplice,
  DataViewPrototypeGetBuffer, DataViewPrototypeGetByteLength, DataViewPrototypeGetByteOffset,
  ErrorPrototypeToString, JSONStringify, MathMax, MathMin, NumberPrototypeToString,
  ObjectGetPrototypeOf, ObjectPrototypeHasOwnProperty, String, StringPrototypeEndsWith,
  StringPrototypePadStart, StringPrototypeSlice, StringPrototypeStartsWith, SymbolToPrimitive,
  TypedArrayPrototypeGetBuffer, TypedArrayPrototypeGetByteLength, TypedArrayPrototypeGetByteOffset,
  TypedArrayPrototypeGetLength, Uint8Array,
} from "primordials";
import {
  boxed, className, descriptor, entries, get as nativeGet, has as nativeHas, instanceOf, keys,
  nonIndexKeys, promiseDetails, proxyDetails, stackOf,
} from "./native.js";
import { isDataView, isStringObject, isTypedArray } from "./inspect_types.js";
import {
  formatBigInt, formatMapIterInner, formatNumber, formatPrimitive, formatSetIterInner, formatValue,
  inspect, remainingText, stylizeNoColor,
} from "node-inspect";
import { ownInspectorOf } from "./own_inspectors.js";

export const get = nativeGet;
export const has = nativeHas;
export const ALL_PROPERTIES = 0;
export const ONLY_ENUMERABLE = 2;
export const kPending = 0;
export const kRejected = 2;
export const getProxyDetails = proxyDetails;
export const getPromiseDetails = promiseDetails;
export const internalGetConstructorName = className;
export const isInstanceof = instanceOf;
export const ownInspector = ownInspectorOf;
export const getOwnNonIndexProperties = (value, filter) =>
  nonIndexKeys(value, filter === ONLY_ENUMERABLE);
export const isURL = () => false;
export const getUserOptions = (ctx) => ({
  __proto__: null, showHidden: ctx.showHidden, depth: ctx.depth, showProxy: ctx.showProxy,
  maxArrayLength: ctx.maxArrayLength, maxStringLength: ctx.maxStringLength,
  breakLength: ctx.breakLength, compact: ctx.compact, sorted: ctx.sorted, getters: ctx.getters,
  numericSeparator: ctx.numericSeparator,
});
export const kValidateObjectAllowArray = 0;
export const BuiltinModule = undefined;
export function assert() {}
export function validateObject() {}
export const removeColors = (text) => text;
export const join = (list, separator) => ArrayPrototypeJoin(list, separator);
export const firstKeys = (value, limit) => keys(value, 17, limit);
export const isNumeric = (value) => typeof value === "number" || typeof value === "bigint";
export const isStackOverflowError = (error) =>
  get(error, "message") === "Maximum call stack size exceeded";

export const nameText = (value) => {
  const name = get(value, "name");
  return typeof name === "string" ? name : "";
};

export const errorName = (error) => {
  const name = get(error, "name");
  if (name === undefined || typeof name === "string") return name;
  return typeof name === "object" || typeof name === "function" ? "Error" : String(name);
};

const withoutLastBreak = (text) =>
  StringPrototypeEndsWith(text, "\n") ? StringPrototypeSlice(text, 0, -1) : text;

// The engine keeps the frames alone; in front of them goes what Node puts there.
export function getStackString(ctx, error) {
  const stack = stackOf(error);
  if (typeof stack !== "string") {
    if (!stack) return ErrorPrototypeToString(error);
    ArrayPrototypePush(ctx.seen, error);
    ctx.indentationLvl += 4;
    const result = formatValue(ctx, stack);
    ctx.indentationLvl -= 4;
    ctx.seen.length--;
    return `${ErrorPrototypeToString(error)}\n    ${result}`;
  }
  if (stack === "") return ErrorPrototypeToString(error);
  const text = withoutLastBreak(stack);
  if (!StringPrototypeStartsWith(text, "    at ")) return text;
  return `${ErrorPrototypeToString(error)}\n${text}`;
}

// Whether turning `value` into a string needs no code of the program.
export function hasBuiltInToString(value) {
  const target = proxyDetails(value, false);
  if (target === null) return true;
  value = target ?? value;
  if (typeof get(value, "toString") !== "function" &&
      typeof get(value, SymbolToPrimitive) !== "function") {
    return true;
  }
  let holder = value;
  while (holder !== null && !ObjectPrototypeHasOwnProperty(holder, "toString") &&
         !ObjectPrototypeHasOwnProperty(holder, SymbolToPrimitive)) {
    holder = ObjectGetPrototypeOf(holder);
  }
  if (holder === null || holder === value) return holder === null;
  const maker = descriptor(holder, "constructor")?.value;
  return typeof maker === "function" && isBuiltIn(nameText(maker));
}

const builtInNames = keys(globalThis, 1);
const isBuiltIn = (name) => {
  for (let i = 0; i < builtInNames.length; i++) {
    if (builtInNames[i] === name) return name[0] >= "A" && name[0] <= "Z";
  }
  return false;
};

// %s, %d, %i, %f and %j run the conversions of the value, as they do everywhere. What these throw
// must not come out of a console call: the value is shown instead.
export function coerceString(value, options) {
  try {
    return String(value);
  } catch {
    return inspect(value, { ...options, depth: 0 });
  }
}

export function coerceNumber(value, convert) {
  try {
    return convert(value);
  } catch {
    return NaN;
  }
}

export function tryStringify(value) {
  try {
    return JSONStringify(value);
  } catch (error) {
    const message = get(error, "message");
    if (message === circularMessage) return "[Circular]";
    return inspect(value);
  }
}

const circularMessage = (() => {
  try {
    const loop = {};
    loop.loop = loop;
    JSONStringify(loop);
  } catch (error) {
    return get(error, "message");
  }
  return undefined;
})();

export const byteLength = (buffer) => ArrayBufferPrototypeGetByteLength(buffer);

export function formatArrayBuffer(ctx, value) {
  let bytes;
  try {
    bytes = new Uint8Array(value);
  } catch {
    return [ctx.stylize("(detached)", "special")];
  }
  const length = TypedArrayPrototypeGetLength(bytes);
  const shown = MathMin(MathMax(0, ctx.maxArrayLength), length);
  let text = "";
  for (let i = 0; i < shown; i++) {
    const digits = NumberPrototypeToString(bytes[i], 16);
    text += (i === 0 ? "" : " ") + StringPrototypePadStart(digits, 2, "0");
  }
  const remaining = length - ctx.maxArrayLength;
  if (remaining > 0) text += ` ... ${remaining} more byte${remaining > 1 ? "s" : ""}`;
  return [`${ctx.stylize("[Uint8Contents]", "special")}: <${text}>`];
}

export function formatTypedArray(value, length, ctx) {
  const shown = MathMin(MathMax(0, ctx.maxArrayLength), length);
  const output = [];
  const format = length > 0 && typeof value[0] === "number" ? formatNumber : formatBigInt;
  for (let i = 0; i < shown; i++) {
    ArrayPrototypePush(output, format(ctx.stylize, value[i], ctx.numericSeparator));
  }
  if (length > shown) ArrayPrototypePush(output, remainingText(length - shown));
  return output;
}

const shownOf = (ctx, value) => entries(value, MathMax(0, MathMin(ctx.maxArrayLength, 4294967295)));

export function formatSet(value, ctx, ignored, recurseTimes) {
  const { 0: list, 2: total } = shownOf(ctx, value);
  const output = [];
  ctx.indentationLvl += 2;
  for (let i = 0; i < list.length; i++) {
    ArrayPrototypePush(output, formatValue(ctx, list[i], recurseTimes));
  }
  if (total > list.length) ArrayPrototypePush(output, remainingText(total - list.length));
  ctx.indentationLvl -= 2;
  return output;
}

export function formatMap(value, ctx, ignored, recurseTimes) {
  const { 0: list, 2: total } = shownOf(ctx, value);
  const output = [];
  ctx.indentationLvl += 2;
  for (let i = 0; i < list.length; i += 2) {
    const key = formatValue(ctx, list[i], recurseTimes);
    ArrayPrototypePush(output, `${key} => ${formatValue(ctx, list[i + 1], recurseTimes)}`);
  }
  const remaining = total - list.length / 2;
  if (remaining > 0) ArrayPrototypePush(output, remainingText(remaining));
  ctx.indentationLvl -= 2;
  return output;
}

const kWeak = 0;
const kIterator = 1;
const kMapEntries = 2;

// Lists what was asked for, and says how much is left: the inner formatters count `list.length`.
function formatEntries(ctx, value, recurseTimes, state) {
  const { 0: list, 1: keyed, 2: total } = shownOf(ctx, value);
  const shown = keyed ? list.length / 2 : list.length;
  const output = keyed
    ? formatMapIterInner(ctx, recurseTimes, list, state)
    : formatSetIterInner(ctx, recurseTimes, list, state);
  if (total > shown) ArrayPrototypePush(output, remainingText(total - shown));
  return output;
}

export const formatWeakSet = (ctx, value, recurseTimes) =>
  formatEntries(ctx, value, recurseTimes, kWeak);
export const formatWeakMap = formatWeakSet;

export function formatIterator(braces, ctx, value, recurseTimes) {
  const keyed = entries(value, 0)[1];
  if (keyed) braces[0] = `${StringPrototypeSlice(braces[0], 0, -12)} Entries] {`;
  return formatEntries(ctx, value, recurseTimes, keyed ? kMapEntries : kIterator);
}

// The facts of buffers and views that %o shows, read from their slots.
function extraValue(value, key) {
  if (isTypedArray(value)) {
    switch (key) {
      case "BYTES_PER_ELEMENT": return get(value, key);
      case "length": return TypedArrayPrototypeGetLength(value);
      case "byteLength": return TypedArrayPrototypeGetByteLength(value);
      case "byteOffset": return TypedArrayPrototypeGetByteOffset(value);
      default: return TypedArrayPrototypeGetBuffer(value);
    }
  }
  if (!isDataView(value)) return ArrayBufferPrototypeGetByteLength(value);
  if (key === "byteLength") return DataViewPrototypeGetByteLength(value);
  return key === "byteOffset" ? DataViewPrototypeGetByteOffset(value)
    : DataViewPrototypeGetBuffer(value);
}

export function formatExtraProperties(ctx, value, recurseTimes, key, typedArray) {
  ctx.indentationLvl += 2;
  const text = formatValue(ctx, extraValue(value, key), recurseTimes, typedArray);
  ctx.indentationLvl -= 2;
  return `${ctx.stylize(`[${key}]`, "string")}: ${text}`;
}

export function getBoxedBase(value, ctx, keyList, constructor, tag) {
  const inner = boxed(value);
  const kind = typeof inner;
  const type = kind === "bigint" ? "BigInt" : `${kind === "number" ? "Number" : kind === "string"
    ? "String" : kind === "boolean" ? "Boolean" : "Symbol"}`;
  if (isStringObject(value)) ArrayPrototypeSplice(keyList, 0, inner.length);
  let base = `[${type}`;
  if (type !== constructor) {
    base += constructor === null ? " (null prototype)" : ` (${constructor})`;
  }
  base += `: ${formatPrimitive(stylizeNoColor, inner, ctx)}]`;
  if (tag !== "" && tag !== constructor) base += ` [${tag}]`;
  return base;
}
