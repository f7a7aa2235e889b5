// toLocaleString and its kin before the real Intl: the answer of "en-US" without options, which is
// what a program gets that asks for nothing, and a refusal in words for everything else. A wrong
// format that nobody notices would be worse than an error.
import {
  ArrayIsArray, BigIntPrototypeToString, DatePrototypeGetDate, DatePrototypeGetFullYear,
  DatePrototypeGetHours, DatePrototypeGetMinutes, DatePrototypeGetMonth, DatePrototypeGetSeconds,
  DatePrototypeGetTime, NumberIsFinite, NumberIsNaN, NumberPrototypeToString,
  NumberPrototypeValueOf, Object, ObjectDefineProperty, RangeError, ReflectApply,
  StringPrototypeIndexOf, StringPrototypePadEnd, StringPrototypePadStart, StringPrototypeSlice,
  StringPrototypeToLowerCase, StringPrototypeToUpperCase, TypedArrayPrototype,
  TypedArrayPrototypeGetLength, TypeError,
} from "primordials";

import { compareTexts } from "./collation.js";
import { toText } from "./convert.js";

const HINT = "locale data is not part of this build: ";
const FORMATS = "only the format of \"en-US\" without options is available, write any other out " +
  "(toFixed, padStart, toISOString, getFullYear, ...)";
const ORDERS = "only the order of \"en\" with the options numeric and sensitivity is available";

function refuse(method, what) {
  const rest = method === "localeCompare" ? ORDERS : FORMATS;
  throw new RangeError(`${method}: ${what} cannot be honoured, ${HINT}${rest}`);
}

const isPlainLocale = (tag) => tag === undefined || tag === "en-US" || tag === "en";

function checkLocales(method, locales) {
  if (isPlainLocale(locales)) return;
  if (locales === null) throw new TypeError("Incorrect locale information provided");
  if (ArrayIsArray(locales)) {
    for (let i = 0; i < locales.length; i++) {
      if (!isPlainLocale(locales[i])) refuse(method, `the locale ${locales[i]}`);
    }
    return;
  }
  refuse(method, `the locale ${locales}`);
}

// An options object without any option set is none.
function checkOptions(method, options) {
  if (options === undefined) return;
  if (options === null) throw new TypeError("Cannot convert undefined or null to object");
  for (const name in Object(options)) {
    if (options[name] !== undefined) refuse(method, `the option ${name}`);
  }
}

function check(method, locales, options) {
  checkLocales(method, locales);
  checkOptions(method, options);
}

function grouped(digits) {
  let out = "";
  for (let end = digits.length; end > 0; end -= 3) {
    const from = end > 3 ? end - 3 : 0;
    out = StringPrototypeSlice(digits, from, end) + (out === "" ? "" : `,${out}`);
  }
  return out;
}

// The shortest decimal digits of a finite number >= 0, and where the point stands in them.
function decimalOf(number) {
  const text = NumberPrototypeToString(number);
  const e = StringPrototypeIndexOf(text, "e");
  const mantissa = e === -1 ? text : StringPrototypeSlice(text, 0, e);
  const exponent = e === -1 ? 0 : +StringPrototypeSlice(text, e + 1);
  const point = StringPrototypeIndexOf(mantissa, ".");
  if (point === -1) return { digits: mantissa, point: mantissa.length + exponent };
  return {
    digits: StringPrototypeSlice(mantissa, 0, point) + StringPrototypeSlice(mantissa, point + 1),
    point: point + exponent,
  };
}

// Adds one to the last digit.
function increment(digits) {
  let out = "";
  for (let i = digits.length - 1; i >= 0; i--) {
    if (digits[i] !== "9") return StringPrototypeSlice(digits, 0, i) + (+digits[i] + 1) + out;
    out += "0";
  }
  return `1${out}`;
}

/** At most three decimals, half away from zero, thousands apart. */
function numberText(number) {
  if (NumberIsNaN(number)) return "NaN";
  const sign = number < 0 || 1 / number < 0 ? "-" : "";
  if (!NumberIsFinite(number)) return `${sign}∞`;
  const { digits, point } = decimalOf(sign === "" ? number : -number);
  // All digits up to the third decimal as one whole number.
  const wanted = point + 3;
  let whole = "0";
  if (wanted >= 0) {
    whole = StringPrototypePadEnd(StringPrototypeSlice(digits, 0, wanted), wanted, "0");
    if (wanted < digits.length && digits[wanted] >= "5") whole = increment(whole);
  }
  whole = StringPrototypePadStart(whole, 4, "0");
  const integer = StringPrototypeSlice(whole, 0, -3);
  let fraction = StringPrototypeSlice(whole, -3);
  while (fraction !== "" && fraction[fraction.length - 1] === "0") {
    fraction = StringPrototypeSlice(fraction, 0, -1);
  }
  let start = 0;
  while (start < integer.length - 1 && integer[start] === "0") start++;
  const front = grouped(StringPrototypeSlice(integer, start));
  return sign + front + (fraction === "" ? "" : `.${fraction}`);
}

const two = (value) => StringPrototypePadStart(`${value}`, 2, "0");

function dateText(date) {
  const year = DatePrototypeGetFullYear(date);
  const shown = year > 0 ? year : 1 - year; // before Christ, without saying so
  return `${DatePrototypeGetMonth(date) + 1}/${DatePrototypeGetDate(date)}/${shown}`;
}

function timeText(date) {
  const hours = DatePrototypeGetHours(date);
  const minutes = two(DatePrototypeGetMinutes(date));
  const seconds = two(DatePrototypeGetSeconds(date));
  return `${hours % 12 || 12}:${minutes}:${seconds} ${hours < 12 ? "AM" : "PM"}`;
}

const dateMethod = (method, format) => function (locales, options) {
  const time = DatePrototypeGetTime(this);
  check(method, locales, options);
  return NumberIsNaN(time) ? "Invalid Date" : format(this);
};

// Spelling of these languages differs in letters, not only in formats.
function checkCase(method, locales) {
  const tag = ArrayIsArray(locales) ? locales[0] : locales;
  if (typeof tag !== "string") return;
  const language = StringPrototypeToLowerCase(StringPrototypeSlice(tag, 0, 2));
  if (language === "tr" || language === "az" || language === "lt") {
    refuse(method, `the locale ${tag}`);
  }
}

// What the options of localeCompare ask for that the tables can answer.
const LEVELS = { __proto__: null, base: 1, accent: 2, variant: 3 };

function collatorOptions(options) {
  const chosen = { __proto__: null, levels: 3, numeric: false, refuse: refuseCharacter };
  if (options === undefined) return chosen;
  if (options === null) throw new TypeError("Cannot convert undefined or null to object");
  for (const name in Object(options)) {
    const value = options[name];
    if (name === "numeric") chosen.numeric = !!value;
    else if (name === "sensitivity" && LEVELS[value] !== undefined) chosen.levels = LEVELS[value];
    else if (value !== undefined) refuse("localeCompare", `the option ${name}`);
  }
  return chosen;
}

function refuseCharacter(character) {
  throw new RangeError(`localeCompare: the place of "${character}" in the alphabet is not known, ` +
    "locale data is not part of this build: compare with < and > instead");
}

function checkCollation(locales) {
  const list = ArrayIsArray(locales) ? locales : [locales];
  for (let i = 0; i < list.length; i++) {
    const isEnglish = typeof list[i] === "string" &&
      (list[i] === "en" || StringPrototypeSlice(list[i], 0, 3) === "en-");
    if (!isEnglish) checkLocales("localeCompare", list[i]);
  }
}

function listText(list, length, locales, options) {
  let out = "";
  for (let i = 0; i < length; i++) {
    const item = list[i];
    if (i > 0) out += ",";
    if (item !== undefined && item !== null) out += toText(item.toLocaleString(locales, options));
  }
  return out;
}

const methods = [
  [Number.prototype, "toLocaleString", function (locales, options) {
    const number = NumberPrototypeValueOf(this);
    check("toLocaleString", locales, options);
    return numberText(number);
  }],
  [BigInt.prototype, "toLocaleString", function (locales, options) {
    const text = BigIntPrototypeToString(this);
    check("toLocaleString", locales, options);
    return text[0] === "-" ? `-${grouped(StringPrototypeSlice(text, 1))}` : grouped(text);
  }],
  [Date.prototype, "toLocaleString",
    dateMethod("toLocaleString", (date) => `${dateText(date)}, ${timeText(date)}`)],
  [Date.prototype, "toLocaleDateString", dateMethod("toLocaleDateString", dateText)],
  [Date.prototype, "toLocaleTimeString", dateMethod("toLocaleTimeString", timeText)],
  [Array.prototype, "toLocaleString", function (locales, options) {
    const list = Object(this);
    return listText(list, list.length, locales, options);
  }],
  [TypedArrayPrototype, "toLocaleString", function (locales, options) {
    return listText(this, TypedArrayPrototypeGetLength(this), locales, options);
  }],
  [String.prototype, "localeCompare", function (that, locales, options) {
    if (this === undefined || this === null) {
      throw new TypeError("String.prototype.localeCompare called on null or undefined");
    }
    const text = toText(this);
    that = toText(that);
    checkCollation(locales);
    return compareTexts(text, that, collatorOptions(options));
  }, 1],
  [String.prototype, "toLocaleLowerCase", function (locales) {
    checkCase("toLocaleLowerCase", locales);
    return StringPrototypeToLowerCase(this);
  }],
  [String.prototype, "toLocaleUpperCase", function (locales) {
    checkCase("toLocaleUpperCase", locales);
    return StringPrototypeToUpperCase(this);
  }],
];

/** Puts them in the places of the engine's own, which pass over locale and options in silence. */
export function installLocaleMethods() {
  for (const [holder, name, method, length = 0] of methods) {
    // Methods have no prototype and are no constructors.
    const { [name]: plain } = { [name](...args) { return ReflectApply(method, this, args); } };
    ObjectDefineProperty(plain, "length", { value: length, configurable: true });
    ObjectDefineProperty(holder, name, {
      __proto__: null, value: plain, writable: true, enumerable: false, configurable: true,
    });
  }
}
