// console.table: boxes as Node draws them.
import {
  ArrayIsArray, ArrayPrototypeJoin, ArrayPrototypePush, ArrayPrototypeUnshift, MathMin, ObjectKeys,
  ObjectPrototypeHasOwnProperty, SafeMap, String, StringPrototypeRepeat,
} from "primordials";
import { classes, classOf, descriptor, entries, keys, proxyDetails } from "./native.js";
import { inspect } from "node-inspect";
import { isTypedArray } from "./inspect_types.js";
import { getStringWidth } from "./width.js";

// Rows beyond this are counted, not drawn.
const MAX_ROWS = 10000;

function cellText(value) {
  const nested = value !== null && typeof value === "object" && !ArrayIsArray(value) &&
    !isTypedArray(value) && keys(value, 17, 3).length > 2;
  return inspect(value, { depth: nested ? -1 : 0, maxArrayLength: 3, breakLength: Infinity });
}

// What stands in `object` under `key`, without calling a getter.
function cellOf(object, key) {
  const found = descriptor(object, key);
  if (found === undefined) return "";
  return found.get !== undefined ? "[Getter]" : cellText(found.value);
}

function row(cells, widths) {
  let out = "│ ";
  for (let i = 0; i < widths.length; i++) {
    const text = cells[i] ?? "";
    out += text + StringPrototypeRepeat(" ", widths[i] - getStringWidth(text));
    if (i !== widths.length - 1) out += " │ ";
  }
  return `${out} │`;
}

function draw(heads, columns, height, left) {
  const widths = [];
  for (let i = 0; i < heads.length; i++) {
    let width = getStringWidth(heads[i]);
    for (let j = 0; j < height; j++) {
      const cell = getStringWidth(columns[i][j] ?? "");
      if (cell > width) width = cell;
    }
    ArrayPrototypePush(widths, width);
  }
  const bars = [];
  for (let i = 0; i < widths.length; i++) {
    ArrayPrototypePush(bars, StringPrototypeRepeat("─", widths[i] + 2));
  }
  const line = (from, between, to) => from + ArrayPrototypeJoin(bars, between) + to;
  const lines = [line("┌", "┬", "┐"), row(heads, widths), line("├", "┼", "┤")];
  for (let j = 0; j < height; j++) {
    const cells = [];
    for (let i = 0; i < columns.length; i++) ArrayPrototypePush(cells, columns[i][j] ?? "");
    ArrayPrototypePush(lines, row(cells, widths));
  }
  ArrayPrototypePush(lines, line("└", "┴", "┘"));
  if (left > 0) ArrayPrototypePush(lines, `... ${left} more row${left > 1 ? "s" : ""}`);
  return ArrayPrototypeJoin(lines, "\n");
}

// Maps, sets and iterators over them: an index, then the keys and values.
function collectionText(data) {
  const { 0: list, 1: keyed, 2: total } = entries(data, MAX_ROWS);
  const step = keyed ? 2 : 1;
  const height = list.length / step;
  const index = [];
  const first = [];
  const second = [];
  for (let i = 0; i < height; i++) {
    ArrayPrototypePush(index, String(i));
    ArrayPrototypePush(first, cellText(list[i * step]));
    if (keyed) ArrayPrototypePush(second, cellText(list[i * step + 1]));
  }
  return keyed
    ? draw(["(iteration index)", "Key", "Values"], [index, first, second], height, total - height)
    : draw(["(iteration index)", "Values"], [index, first], height, total - height);
}

const isPrimitive = (value) =>
  value === null || (typeof value !== "object" && typeof value !== "function");

function propertyNames(properties) {
  const names = [];
  const length = MathMin(descriptor(properties, "length").value, MAX_ROWS);
  for (let i = 0; i < length; i++) {
    const name = descriptor(properties, i)?.value;
    if (isPrimitive(name)) ArrayPrototypePush(names, String(name));
  }
  return names;
}

function rowsText(data, properties) {
  const rowKeys = keys(data, 17, MAX_ROWS + 1);
  const left = rowKeys.length > MAX_ROWS ? ObjectKeys(data).length - MAX_ROWS : 0;
  if (left > 0) rowKeys.length = MAX_ROWS;
  const places = new SafeMap();
  const heads = [];
  const columns = [];
  const values = [];
  let anyPrimitive = false;
  for (let i = 0; i < rowKeys.length; i++) {
    const found = descriptor(data, rowKeys[i]);
    const item = found.get === undefined ? found.value : undefined;
    const primitive = isPrimitive(item);
    if (primitive && properties === undefined) {
      anyPrimitive = true;
      values[i] = found.get === undefined ? cellText(item) : "[Getter]";
      continue;
    }
    const names = properties ?? ObjectKeys(item);
    for (let j = 0; j < names.length; j++) {
      const name = names[j];
      let at = places.get(name);
      if (at === undefined) {
        at = ArrayPrototypePush(heads, name) - 1;
        places.set(name, at);
        ArrayPrototypePush(columns, []);
      }
      columns[at][i] =
        primitive || !ObjectPrototypeHasOwnProperty(item, name) ? "" : cellOf(item, name);
    }
  }
  if (anyPrimitive) {
    ArrayPrototypePush(heads, "Values");
    ArrayPrototypePush(columns, values);
  }
  ArrayPrototypeUnshift(heads, "(index)");
  ArrayPrototypeUnshift(columns, rowKeys);
  return draw(heads, columns, rowKeys.length, left);
}

/** The drawn table, or undefined when `data` is nothing a table is drawn of. */
export function tableText(data, properties) {
  data = proxyDetails(data, false) ?? data;
  const kind = classOf(data);
  if (kind === 0 || typeof data === "function") return undefined;
  if (kind === classes.MAP || kind === classes.SET || kind === classes.MAP_ITERATOR ||
      kind === classes.SET_ITERATOR) {
    return collectionText(data);
  }
  return rowsText(data, ArrayIsArray(properties) ? propertyNames(properties) : undefined);
}
