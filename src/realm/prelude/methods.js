// What tools/prelude/harden.mjs turns method calls of third-party code into. A receiver that is
// neither string nor array is one of that code's own objects and keeps its own method.
import {
  ArrayIsArray, ArrayPrototypeEvery, ArrayPrototypeFill, ArrayPrototypeFilter,
  ArrayPrototypeIncludes, ArrayPrototypeIndexOf, ArrayPrototypeJoin, ArrayPrototypeMap,
  ArrayPrototypePop, ArrayPrototypePush, ArrayPrototypeReverse, ArrayPrototypeShift,
  ArrayPrototypeSlice, ArrayPrototypeSome, ArrayPrototypeSort, ArrayPrototypeSplice,
  ArrayPrototypeUnshift, FunctionPrototypeBind, NumberPrototypeToString, ReflectApply,
  RegExpPrototypeExec, RegExpPrototypeSymbolReplace, StringPrototypeCharCodeAt,
  StringPrototypeCodePointAt, StringPrototypeEndsWith, StringPrototypeIncludes,
  StringPrototypeIndexOf, StringPrototypeLastIndexOf, StringPrototypeRepeat,
  StringPrototypeReplaceAll, StringPrototypeSlice, StringPrototypeSplit, StringPrototypeStartsWith,
  StringPrototypeToLowerCase, StringPrototypeToUpperCase, StringPrototypeTrim, SymbolIterator,
} from "primordials";

const onArray = (method, name) => (self, ...args) => {
  // An array of the prelude's own: its arguments go through apply, never through an iterator.
  if (ArrayIsArray(self)) return applied(method, self, args);
  return ReflectApply(self[name], self, args);
};
const applied = (method, self, args) => {
  switch (args.length) {
    case 0: return method(self);
    case 1: return method(self, args[0]);
    case 2: return method(self, args[0], args[1]);
    case 3: return method(self, args[0], args[1], args[2]);
    default: return method(self, args[0], args[1], args[2], args[3]);
  }
};
const either = (ofString, ofArray) => (self, a, b) =>
  typeof self === "string" ? ofString(self, a, b) : ofArray(self, a, b);

export const $push = /* @__PURE__ */ onArray(ArrayPrototypePush, "push");
export const $pop = /* @__PURE__ */ onArray(ArrayPrototypePop, "pop");
export const $shift = /* @__PURE__ */ onArray(ArrayPrototypeShift, "shift");
export const $unshift = /* @__PURE__ */ onArray(ArrayPrototypeUnshift, "unshift");
export const $splice = /* @__PURE__ */ onArray(ArrayPrototypeSplice, "splice");
export const $join = /* @__PURE__ */ onArray(ArrayPrototypeJoin, "join");
export const $map = /* @__PURE__ */ onArray(ArrayPrototypeMap, "map");
export const $filter = /* @__PURE__ */ onArray(ArrayPrototypeFilter, "filter");
export const $every = /* @__PURE__ */ onArray(ArrayPrototypeEvery, "every");
export const $some = /* @__PURE__ */ onArray(ArrayPrototypeSome, "some");
export const $fill = /* @__PURE__ */ onArray(ArrayPrototypeFill, "fill");
export const $reverse = /* @__PURE__ */ onArray(ArrayPrototypeReverse, "reverse");
export const $sort = /* @__PURE__ */ onArray(ArrayPrototypeSort, "sort");

export const $includes = /* @__PURE__ */ either(StringPrototypeIncludes, ArrayPrototypeIncludes);
export const $indexOf = /* @__PURE__ */ either(StringPrototypeIndexOf, ArrayPrototypeIndexOf);
export const $slice = /* @__PURE__ */ either(StringPrototypeSlice, ArrayPrototypeSlice);

export const $startsWith = (text, part) => StringPrototypeStartsWith(text, part);
export const $endsWith = (text, part) => StringPrototypeEndsWith(text, part);
export const $codePointAt = (text, at = 0) => StringPrototypeCodePointAt(text, at);
export const $charCodeAt = (text, at = 0) => StringPrototypeCharCodeAt(text, at);
export const $toLowerCase = (text) => StringPrototypeToLowerCase(text);
export const $toUpperCase = (text) => StringPrototypeToUpperCase(text);
export const $repeat = (text, times) => StringPrototypeRepeat(text, times);
export const $charAt = (text, at) => text[at] ?? "";
export const $substring = (text, from, to = text.length) =>
  StringPrototypeSlice(text, from, to < from ? from : to);
export const $search = (text, pattern) => {
  pattern.lastIndex = 0;
  return RegExpPrototypeExec(pattern, text)?.index ?? -1;
};
export const $lastIndexOf = (text, part) => StringPrototypeLastIndexOf(text, part);
export const $trim = (text) => StringPrototypeTrim(text);
export const $split = (text, separator) => StringPrototypeSplit(text, separator);
export const $bind = (method, self, ...args) =>
  args.length === 0 ? FunctionPrototypeBind(method, self)
    : FunctionPrototypeBind(method, self, args[0]);
export const $toString = (value, radix) =>
  typeof value === "number" ? NumberPrototypeToString(value, radix) : value.toString();

export const $test = (pattern, text) => {
  pattern.lastIndex = 0;
  return RegExpPrototypeExec(pattern, text) !== null;
};
export const $exec = (pattern, text) => RegExpPrototypeExec(pattern, text);
export const $replace = (text, pattern, by) =>
  typeof pattern === "string" ? StringPrototypeReplaceAll(text, pattern, by)
    : RegExpPrototypeSymbolReplace(pattern, text, by);

/** Walks arrays, strings and the safe collections by index; leaves everything else as it is. */
export function $iterate(list) {
  if (typeof list === "string") return walker(list, codePoint);
  if (typeof list?.list === "function") list = list.list();
  return ArrayIsArray(list) ? walker(list, element) : list;
}

const element = (list, at) => list[at];
const codePoint = (text, at) => {
  const unit = StringPrototypeCodePointAt(text, at);
  return StringPrototypeSlice(text, at, at + (unit > 0xffff ? 2 : 1));
};

function walker(list, read) {
  let at = 0;
  return {
    __proto__: null,
    [SymbolIterator]() { return this; },
    next() {
      if (at >= list.length) return { __proto__: null, done: true, value: undefined };
      const value = read(list, at);
      at += read === codePoint ? value.length : 1;
      return { __proto__: null, done: false, value };
    },
  };
}
