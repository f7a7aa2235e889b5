// Turns the source of Node's `internal/util/inspect` into a module of the prelude.
//
// The source is read from the pinned Node binary, so the console prints what that Node prints. What
// would run the program's code (reading a property through a getter or a trap) is redirected to the
// intrinsics. Each change names the text it expects and how often; the build fails when it is gone.
import { execFileSync } from "node:child_process";
import { harden } from "./harden.mjs";

// Functions replaced by src/realm/prelude/inspect_overrides.js.
const overridden = [
  "isInstanceof", "isURL", "pathToFileUrlHref", "getStackString", "hasBuiltInToString",
  "tryStringify", "formatArrayBuffer", "formatTypedArray", "formatSet", "formatMap",
  "formatIterator", "formatWeakSet", "formatWeakMap", "formatExtraProperties", "getUserOptions",
  "stylizeWithColor", "safeGetCWD", "markCwd", "markNodeModules",
  "stripVTControlCharacters", "isZeroWidthCodePoint", "format", "formatWithOptions",
  "getBoxedBase",
];

// [text, replacement, how often]
const changes = [
  ["descriptor.value.name", "nameText(descriptor.value)", 5],
  ["value[SymbolToStringTag]", "get(value, SymbolToStringTag)", 1],
  ["SymbolIterator in value", "has(value, SymbolIterator)", 1],
  ["value[customInspectSymbol]", "ownInspector(value)", 1],
  ["new primordials[fallback](value)", "value", 1],
  ["if (value.length === 0 && keys.length === 0 && !ctx.showHidden)",
    "if (size === 0 && keys.length === 0 && !ctx.showHidden)", 1],
  ["new RegExp(value)", "value", 1],
  ["value.byteLength, false", "byteLength(value), false", 1],
  ["value.buffer[extraKeys[i]]", "undefined", 1],
  ["message = err.message;", "message = get(err, 'message');", 1],
  ["name = err.name;", "name = errorName(err);", 1],
  ["errors = err.errors;", "errors = get(err, 'errors');", 1],
  ["({ cause } = err);", "cause = get(err, 'cause');", 1],
  ["(message && StringPrototypeIndexOf",
    "(typeof message === 'string' && message && StringPrototypeIndexOf", 1],
  ["hasName && value.name)", "hasName && nameText(value))", 1],
  ["ObjectGetPrototypeOf(value).name", "nameText(ObjectGetPrototypeOf(value))", 1],
  ["if (value.name === '')", "if (get(value, 'name') === '')", 1],
  ["typeof value.name === 'string' ? value.name : formatValue(ctx, value.name)",
    "nameText(value)", 1],
  ["typeof value[i] !== 'number' && typeof value[i] !== 'bigint'",
    "!isNumeric(get(value, i))", 1],
  ["const keys = ObjectKeys(value);", "const keys = firstKeys(value, i + maxLength + 1);", 1],
  ["budget: {},", "__proto__: null, circular: undefined, userOptions: undefined, " +
    "budget: { __proto__: null },", 1],
  ["= String(tempArg)", "= coerceString(tempArg, inspectOptions)", 1],
  ["NumberParseInt(tempInteger)", "coerceNumber(tempInteger, NumberParseInt)", 1],
  ["NumberParseFloat(tempFloat)", "coerceNumber(tempFloat, NumberParseFloat)", 1],
  ["Number(tempNum)", "coerceNumber(tempNum, Number)", 1],
  ["if (ctx.colors) ctx.stylize = stylizeWithColor;", "", 1],
  ["if (ctx.colors) {", "if (false) {", 3],
];

function replaceAll(text, [from, to, count]) {
  const parts = text.split(from);
  if (parts.length - 1 !== count) {
    const found = `found ${parts.length - 1} times, not ${count}`;
    throw new Error(`node inspect: ${JSON.stringify(from)} ${found}`);
  }
  return parts.join(to);
}

// The section between two pieces of text, both included, is left out.
function cut(text, from, to) {
  const start = text.indexOf(from);
  const end = text.indexOf(to, start);
  if (start < 0 || end < 0) throw new Error(`node inspect: no section ${JSON.stringify(from)}`);
  return text.slice(0, start) + text.slice(end + to.length);
}

function imports(text) {
  const names = /const \{([^}]*)\} = primordials;/.exec(text)[1].match(/\w+/g);
  text = cut(text, "const {\n", "} = primordials;");
  text = cut(text, "const {\n  constants: {", "require('internal/validators');");
  text = cut(text, "let hexSlice;", "let internalUrl;");
  text = cut(text, "inspect.custom = customInspectSymbol;", "module: 'underline',\n});");
  text = cut(text, "// Regex used for ansi", "let getStringWidth;");
  text = cut(text, "if (internalBinding('config').hasIntl) {", "displayed string width.\n */");
  text = cut(text, "module.exports = {", "};");
  return { names, text: text.replace("'use strict';", "") };
}

export function nodeSource(node, id) {
  const script = `process.stdout.write(process.binding("natives")[${JSON.stringify(id)}])`;
  const options = { encoding: "utf8", maxBuffer: 1 << 26 };
  return execFileSync(node, ["--no-deprecation", "-e", script], options);
}

/** @returns the module text and the captured built-ins it imports */
export function inspectModule(parse, node, sources) {
  const { names, text } = imports(nodeSource(node, "internal/util/inspect"));
  const changed = changes.reduce(replaceAll, text);
  const how = { drop: overridden, file: "inspect", sourceType: "module" };
  const { text: hardened } = harden(parse, changed, how);
  const used = names.filter((n) => new RegExp(`\\b${n}\\b`).test(hardened));
  const head = [
    `import { ${used.join(", ")} } from "primordials";`,
    `import { ${sources.typeNames.join(", ")} } from "./inspect_types.js";`,
    `import { ${sources.overrideNames.join(", ")} } from "./inspect_overrides.js";`,
    `import { getStringWidth } from "./width.js";`,
    "export { inspect, formatValue, formatNumber, formatBigInt, formatSetIterInner,",
    "  formatMapIterInner, formatPrimitive, formatWithOptionsInternal, reduceToSingleString,",
    "  remainingText, stylizeNoColor };",
  ];
  return { text: head.join("\n") + "\n" + hardened, used };
}
