// Names a bundle uses and nobody declares: each would be looked up among the program's globals.

function declare(node, names) {
  if (node === null) return;
  switch (node.type) {
    case "Identifier": names.add(node.name); break;
    case "ObjectPattern":
      for (const p of node.properties) declare(p.argument ?? p.value, names);
      break;
    case "ArrayPattern": node.elements.forEach((e) => declare(e, names)); break;
    case "AssignmentPattern": declare(node.left, names); break;
    case "RestElement": declare(node.argument, names); break;
  }
}

function visit(node, declared, used) {
  if (Array.isArray(node)) return node.forEach((n) => visit(n, declared, used));
  if (node === null || typeof node !== "object" || typeof node.type !== "string") return;
  if (node.type === "VariableDeclarator") declare(node.id, declared);
  if (/Function|^Class/.test(node.type)) {
    if (node.id) declare(node.id, declared);
    node.params?.forEach((p) => declare(p, declared));
  }
  if (node.type === "CatchClause" && node.param) declare(node.param, declared);
  if (node.type === "Identifier") used.add(node.name);
  for (const [name, value] of Object.entries(node)) {
    const isName = (name === "property" && node.type === "MemberExpression") || name === "key";
    if (isName && !node.computed) {
      if (node.shorthand) visit(node.value, declared, used);
      continue;
    }
    if (name !== "type") visit(value, declared, used);
  }
}

/** Scopes are not told apart: enough to find a forgotten import. */
export function unboundNames(parse, text, allowed) {
  const declared = new Set(allowed);
  const used = new Set();
  visit(parse(text, { ecmaVersion: "latest", sourceType: "script" }), declared, used);
  return [...used].filter((name) => !declared.has(name));
}
