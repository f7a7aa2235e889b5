// Makes third-party JavaScript safe to run inside a realm whose built-ins the program may patch:
//   list.push(x)          becomes  $push(list, x)
//   for (const x of list) becomes  for (const x of $iterate(list)), the same for [...list]
//   Array.from(x)         becomes  ArrayFrom(x)
//   `a${b}`               becomes  ("a" + (b)): the engine's template calls String.prototype.concat
// The helpers are src/realm/prelude/methods.js and the captured built-ins; esbuild injects them.

const methods = new Set([
  "push", "pop", "shift", "unshift", "splice", "includes", "indexOf", "lastIndexOf", "slice",
  "join",
  "map", "filter", "sort", "every", "some", "startsWith", "endsWith", "codePointAt", "charCodeAt",
  "toLowerCase", "toUpperCase", "toString", "test", "exec", "replace", "split", "bind", "repeat",
  "trim", "reverse", "fill", "charAt", "substring", "search",
]);
const namespaces = new Set(["Array", "Object", "String", "Number", "Math", "JSON", "Reflect"]);

function* children(node) {
  for (const [name, value] of Object.entries(node)) {
    if (name === "type" || value === null || typeof value !== "object") continue;
    for (const child of Array.isArray(value) ? value : [value]) {
      if (child && typeof child.type === "string") yield child;
    }
  }
}

// Replacements of source ranges; an inner one is written into the text of the outer one.
class Edits {
  constructor(text) {
    this.text = text;
    this.inserts = [];
    this.cuts = [];
  }
  insert(at, text) {
    this.inserts.push({ at, text, order: this.inserts.length });
  }
  cut(from, to) {
    this.cuts.push({ from, to });
  }
  apply() {
    const marks = [
      ...this.inserts.map((e) => ({ at: e.at, end: e.at, text: e.text, order: e.order })),
      ...this.cuts.map((e) => ({ at: e.from, end: e.to, text: "", order: Infinity })),
    ].sort((a, b) => a.at - b.at || a.order - b.order);
    let out = "";
    let last = 0;
    for (const mark of marks) {
      if (mark.at < last) continue; // inside a range that was cut out whole
      out += this.text.slice(last, mark.at) + mark.text;
      last = mark.end;
    }
    return out + this.text.slice(last);
  }
}

function hardenCall(node, edits, used) {
  const { callee } = node;
  if (callee.type !== "MemberExpression" || callee.computed || node.optional) return;
  if (callee.object.type === "Super" || callee.object.type === "ThisExpression") return;
  const name = callee.property.name;
  if (callee.object.type === "Identifier" && namespaces.has(callee.object.name)) {
    const captured = callee.object.name + name[0].toUpperCase() + name.slice(1);
    used.add(captured);
    edits.cut(callee.start, callee.end);
    edits.insert(callee.end, captured);
    return;
  }
  if (!methods.has(name)) return;
  // obj.name(args): put "$name(" in front, and turn ".name(" into ", "
  edits.insert(node.start, `$${name}(`);
  const open = edits.text.indexOf("(", callee.property.end);
  edits.cut(callee.object.end, open + 1);
  if (node.arguments.length > 0) edits.insert(open + 1, ", ");
}

function wrap(node, edits) {
  edits.insert(node.start, "$iterate(");
  edits.insert(node.end, ")");
}

// Text in front of, between and behind the expressions becomes string literals.
function plainTemplate(node, edits) {
  const { quasis, expressions } = node;
  if (expressions.length === 0) return;
  const text = (i) => JSON.stringify(quasis[i].value.cooked);
  edits.insert(node.start, `(${text(0)} + (`);
  edits.cut(node.start, expressions[0].start);
  expressions.forEach((expression, i) => {
    const last = i === expressions.length - 1;
    const more = `) + ${text(i + 1)}${last ? ")" : " + ("}`;
    const tail = last && quasis[i + 1].value.cooked === "" ? "))" : more;
    edits.insert(expression.end, tail);
    edits.cut(expression.end, last ? node.end : expressions[i + 1].start);
  });
}

function walkTemplates(node, edits) {
  if (node.type === "TemplateLiteral") plainTemplate(node, edits);
  for (const child of children(node)) {
    if (node.type !== "TaggedTemplateExpression") walkTemplates(child, edits);
  }
}

/** Our own modules: written on the captured built-ins, so only their templates are rewritten. */
export function withoutTemplates(parse, text) {
  const edits = new Edits(text);
  walkTemplates(parse(text, { ecmaVersion: "latest", sourceType: "module" }), edits);
  return edits.apply();
}

function walk(node, edits, drop, used) {
  if (node.type === "FunctionDeclaration" && drop.includes(node.id.name)) {
    edits.cut(node.start, node.end);
    drop.splice(drop.indexOf(node.id.name), 1);
    return;
  }
  if (node.type === "TemplateLiteral") plainTemplate(node, edits);
  if (node.type === "CallExpression") hardenCall(node, edits, used);
  if (node.type === "ForOfStatement") wrap(node.right, edits);
  if (node.type === "SpreadElement" && !node.inObject) wrap(node.argument, edits);
  if (node.type === "ObjectExpression") {
    for (const property of node.properties) property.inObject = true;
  }
  for (const child of children(node)) walk(child, edits, drop, used);
}

/**
 * @param parse     acorn's parse
 * @param text      source of one module
 * @param drop      names of top-level functions to leave out; each must exist
 * @param sourceType "module" or "script"
 * @returns the hardened text and the captured built-ins it refers to
 */
export function harden(parse, text, { drop = [], sourceType = "script", file = "" } = {}) {
  const tree = parse(text, { ecmaVersion: "latest", sourceType, allowReturnOutsideFunction: true });
  const edits = new Edits(text);
  const used = new Set();
  const left = [...drop];
  walk(tree, edits, left, used);
  if (left.length > 0) throw new Error(`${file}: no function named ${left.join(", ")}`);
  return { text: edits.apply(), used };
}
