// Writes the module "primordials": every built-in the prelude uses, captured while nothing has been
// patched yet. Names follow Node's scheme, which Node's own inspect is written in:
//   ArrayPrototypePush(list, x)   Array.prototype.push as a function of its receiver
//   MapPrototypeGetSize(map)      the getter
//   ObjectKeys, MathFloor         static functions
//   SymbolIterator, ArrayPrototype, RangeError   values

const holders = {
  TypedArray: "Object.getPrototypeOf(Uint8Array)",
};

function holderOf(name) {
  const own = Object.getOwnPropertyNames(globalThis)
    .filter((g) => /^[A-Z]/.test(g) && name.startsWith(g))
    .concat(name.startsWith("TypedArray") ? ["TypedArray"] : [])
    .sort((a, b) => b.length - a.length);
  return own;
}

function lower(name) {
  if (name === "") return "";
  return /^[A-Z]{2}/.test(name) ? name : name[0].toLowerCase() + name.slice(1);
}

// Where `name` is found in `object`: as written, in lower case, or in full.
function memberOf(object, name) {
  for (const candidate of [lower(name), name]) {
    if (candidate in object) return candidate;
  }
  return Object.getOwnPropertyNames(object).find((n) => n.toLowerCase() === name.toLowerCase());
}

function prototypeMember(expression, prototype, rest) {
  if (rest.startsWith("GetSymbol") || rest.startsWith("Get")) {
    const symbol = rest.startsWith("GetSymbol");
    const name = lower(rest.slice(symbol ? 9 : 3));
    const key = symbol ? Symbol[name] : name;
    const getter = Object.getOwnPropertyDescriptor(prototype, key)?.get;
    const text = symbol ? `Symbol.${name}` : JSON.stringify(name);
    if (getter) return `uncurry(Object.getOwnPropertyDescriptor(${expression}, ${text}).get)`;
  }
  if (rest.startsWith("Symbol")) {
    const name = lower(rest.slice(6));
    return `uncurry(${expression}[Symbol.${name}])`;
  }
  const name = memberOf(prototype, rest);
  return name && `uncurry(${expression}.${name})`;
}

function expressionFor(name) {
  if (name === "IteratorPrototype") {
    return "Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]()))";
  }
  if (name in globalThis) return `globalThis.${name}`;
  for (const holder of holderOf(name)) {
    const expression = holders[holder] ?? holder;
    const object = holders[holder] ? Object.getPrototypeOf(Uint8Array) : globalThis[holder];
    const rest = name.slice(holder.length);
    if (rest === "") return expression;
    if (rest === "Prototype") return `${expression}.prototype`;
    if (rest.startsWith("Prototype")) {
      const found = prototypeMember(`${expression}.prototype`, object.prototype, rest.slice(9));
      if (found) return found;
    }
    const member = memberOf(object, rest);
    if (member) return `${expression}.${member}`;
  }
  return undefined;
}

const exported = (name, expression) =>
  `const p_${name} = ${expression};\nexport { p_${name} as ${name} };`;

/** The plain built-ins: imports nothing but the intrinsics, so it is evaluated first. */
export function plainModule(names, nativePath) {
  // Constructors first: the lines after them are built on them.
  const rank = (name) => (name in globalThis ? 0 : 1);
  const sorted = [...names].sort((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
  const lines = sorted.map((name) => {
    const expression = expressionFor(name);
    if (expression === undefined) throw new Error(`no built-in is called ${name}`);
    return exported(name, expression);
  });
  return [`import { uncurry } from ${JSON.stringify(nativePath)};`, ...lines, ""].join("\n");
}

/** The module "primordials": the plain ones and, for the names safe.js exports, those. */
export function primordialsModule(plain, safe, plainPath, safePath) {
  return `export { ${[...plain].sort().join(", ")} } from ${JSON.stringify(plainPath)};\n` +
    `export { ${[...safe].join(", ")} } from ${JSON.stringify(safePath)};\n`;
}

/** What stands in for free identifiers of every file: all of them but the global object. */
export function injectedModule(plain, safe, primordialsPath) {
  const names = [...plain, ...safe].filter((n) => n !== "globalThis").sort();
  return `export { ${names.join(", ")} } from ${JSON.stringify(primordialsPath)};\n`;
}
