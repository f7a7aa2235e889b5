// expect: value:true or denied
const g = await (async () => {}).constructor("return globalThis")();
g === globalThis && !["process", "require", "Deno", "Bun", "std", "os"].some((n) => n in g)
