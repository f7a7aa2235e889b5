// The console object. Every method formats as Node 22 does and hands one entry to the host; none
// throws because of what it was given.
import {
  ArrayPrototypeUnshift, Error, MathFloor, Number, NumberPrototypeToFixed, SafeMap,
  StringPrototypeIncludes, StringPrototypeIndexOf, StringPrototypePadStart, StringPrototypeRepeat,
  StringPrototypeReplaceAll, StringPrototypeSlice, StringPrototypeSplit, SymbolToStringTag,
} from "primordials";
import { classOf, descriptor, now, print, stackOf } from "./native.js";
import { formatWithOptionsInternal, inspect } from "node-inspect";
import { coerceString } from "./inspect_overrides.js";
import { tableText } from "./console_table.js";

const DEBUG = 0;
const LOG = 1;
const INFO = 2;
const WARN = 3;
const ERROR = 4;

const counts = new SafeMap();
const timers = new SafeMap();
let indent = "";

function write(level, text) {
  if (indent !== "") {
    if (StringPrototypeIncludes(text, "\n")) {
      text = StringPrototypeReplaceAll(text, "\n", `\n${indent}`);
    }
    text = indent + text;
  }
  print(level, text);
}

// Texts alone, no conversion in the first of them: most calls, and no formatter is asked.
function plain(args) {
  let text = "";
  for (let i = 0; i < args.length; i++) {
    const part = args[i];
    if (typeof part !== "string") return undefined;
    if (i === 0 && args.length > 1 && StringPrototypeIncludes(part, "%")) return undefined;
    text += i === 0 ? part : ` ${part}`;
  }
  return text;
}

function format(args) {
  const text = plain(args);
  if (text !== undefined) return text;
  try {
    return formatWithOptionsInternal(undefined, args);
  } catch {
    return "[this value could not be shown]";
  }
}

const log = (level, args) => write(level, format(args));

const labelText = (label) => (label === undefined ? "default" : coerceString(label, undefined));
const warn = (text) => write(WARN, `Warning: ${text}`);

const pad = (value) => StringPrototypePadStart(`${value}`, 2, "0");

// 1:02:03.004 (h:mm:ss.mmm), 2:03.004 (m:ss.mmm), 3.004s, 4ms
function durationText(ms) {
  const hours = MathFloor(ms / 3600000);
  const minutes = MathFloor((ms % 3600000) / 60000);
  const seconds = (ms % 60000) / 1000;
  if (hours !== 0 || minutes !== 0) {
    const parts = StringPrototypeSplit(NumberPrototypeToFixed(seconds, 3), ".");
    const front = hours !== 0 ? `${hours}:${pad(minutes)}` : minutes;
    return `${front}:${pad(parts[0])}.${parts[1]} (${hours !== 0 ? "h:m" : ""}m:ss.mmm)`;
  }
  if (ms >= 1000) return `${NumberPrototypeToFixed(seconds, 3)}s`;
  return `${Number(NumberPrototypeToFixed(ms, 3))}ms`;
}

function timerEntry(label, method, more) {
  const name = labelText(label);
  const started = timers.get(name);
  if (started === undefined) {
    warn(`No such label '${name}' for console.${method}()`);
    return undefined;
  }
  ArrayPrototypeUnshift(more, "%s: %s", name, durationText(now() - started));
  log(LOG, more);
  return name;
}

// The name the engine gives this script in stacks, with what stands around it.
const ownFile = (() => {
  const frame = StringPrototypeSplit(`${stackOf(new Error())}`, "\n")[0];
  const open = StringPrototypeIndexOf(frame, "(");
  const colon = StringPrototypeIndexOf(frame, ":", open);
  return open === -1 || colon === -1 ? undefined : StringPrototypeSlice(frame, open, colon + 1);
})();

// The stack of whoever called the console, each frame on a line of its own.
function callerFrames() {
  const frames = StringPrototypeSplit(`${stackOf(new Error())}`, "\n");
  let out = "";
  for (let i = 0; i < frames.length; i++) {
    const own = out === "" && ownFile !== undefined && StringPrototypeIncludes(frames[i], ownFile);
    if (frames[i] !== "" && !own) out += `\n${frames[i]}`;
  }
  return out;
}

// The options of console.dir that have a meaning here, read without running getters.
const dirOptions = ["showHidden", "depth", "maxArrayLength", "maxStringLength", "breakLength",
  "compact", "sorted", "getters", "numericSeparator", "showProxy"];

function optionsFrom(options) {
  const chosen = { __proto__: null, customInspect: false };
  if (classOf(options) === 0) return chosen;
  for (let i = 0; i < dirOptions.length; i++) {
    const found = descriptor(options, dirOptions[i]);
    if (found !== undefined && found.get === undefined) chosen[dirOptions[i]] = found.value;
  }
  return chosen;
}

function dir(object, options) {
  let text;
  try {
    text = inspect(object, optionsFrom(options));
  } catch {
    text = "[this value could not be shown]";
  }
  write(LOG, text);
}

function table(data, properties) {
  let text;
  try {
    text = tableText(data, properties);
  } catch {
    text = undefined;
  }
  if (text === undefined) log(LOG, [data]);
  else write(LOG, text);
}

const methods = {
  log(...data) { log(LOG, data); },
  warn(...data) { log(WARN, data); },
  dir(object, options) { dir(object, options); },
  time(label) {
    const name = labelText(label);
    if (timers.has(name)) warn(`Label '${name}' already exists for console.time()`);
    else timers.set(name, now());
  },
  timeEnd(label) {
    const name = timerEntry(label, "timeEnd", []);
    if (name !== undefined) timers.delete(name);
  },
  timeLog(label, ...data) { timerEntry(label, "timeLog", data); },
  trace(...data) {
    const text = format(data);
    write(ERROR, `Trace${text === "" ? "" : `: ${text}`}${callerFrames()}`);
  },
  assert(condition, ...data) {
    if (condition) return;
    if (typeof data[0] === "string") data[0] = `Assertion failed: ${data[0]}`;
    else ArrayPrototypeUnshift(data, "Assertion failed");
    log(WARN, data);
  },
  // Of no meaning here, as in a Node without an inspector; there so that nothing breaks.
  clear() {},
  profile() {},
  profileEnd() {},
  timeStamp() {},
  count(label) {
    const name = labelText(label);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    write(LOG, `${name}: ${count}`);
  },
  countReset(label) {
    const name = labelText(label);
    if (!counts.delete(name)) warn(`Count for '${name}' does not exist`);
  },
  group(...data) {
    if (data.length > 0) log(LOG, data);
    if (indent.length < 200) indent += StringPrototypeRepeat(" ", 2);
  },
  groupEnd() { indent = StringPrototypeSlice(indent, 0, -2); },
  table(tabularData, properties) { table(tabularData, properties); },
  debug(...data) { log(DEBUG, data); },
  info(...data) { log(INFO, data); },
  dirxml(...data) { log(LOG, data); },
  error(...data) { log(ERROR, data); },
  groupCollapsed(...data) {
    if (data.length > 0) log(LOG, data);
    if (indent.length < 200) indent += StringPrototypeRepeat(" ", 2);
  },
};

/** The value of the global `console`. */
export const consoleObject = { __proto__: {}, ...methods };
Object.defineProperty(consoleObject, SymbolToStringTag, {
  value: "console", writable: false, enumerable: false, configurable: true,
});
