// node compare.mjs RUN PRELUDE.js NODE22 [NAME...]
//
// Every script of this folder is run twice, on our engine with the prelude and on Node 22, and the
// two outputs must be the same. Lines of stack frames are compared by their number only.
// A script whose first line is `// ours` is not run on Node: its lines `//> text` say what it
// prints last.
import { spawnSync } from "node:child_process";
import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const [run, prelude, node, ...only] = process.argv.slice(2);
const here = dirname(fileURLToPath(import.meta.url));

// Node writes console.error to standard error: there both streams go into one pipe, in order.
const frames = (text) => text
  .replace(/(\n {4,}(at [^\n]*|\.{3} \d+ lines matching cause stack trace \.{3}))+(?= \{?\n|\n)/g,
    "\n    at ...")
  .replace(/\(node:\d+\) /g, "");

function outputs(path) {
  const text = readFileSync(path, "utf8");
  const ours = spawnSync(run, [prelude, path], { encoding: "utf8" });
  const got = ours.stdout + (ours.signal ? `\n${ours.signal}\n` : "");
  if (text.startsWith("// ours\n")) {
    const lines = [...text.matchAll(/^\/\/>(?: (.*))?$/gm)].map((m) => m[1] ?? "");
    const last = frames(got).split("\n").slice(-lines.length - 1);
    return { got: last.join("\n"), want: lines.join("\n") + "\n" };
  }
  const theirs = spawnSync("/bin/sh", ["-c", 'exec "$0" "$@" 2>&1', node, "--no-warnings",
    join(here, "on_node.cjs"), path], { encoding: "utf8" });
  return { got, want: theirs.stdout };
}

function firstDifference(got, want) {
  const a = got.split("\n");
  const b = want.split("\n");
  const at = a.findIndex((line, i) => line !== b[i]);
  const i = at < 0 ? a.length : at;
  return `  line ${i + 1}\n  ours: ${JSON.stringify(a[i])}\n  node: ${JSON.stringify(b[i])}`;
}

let passed = 0;
let failed = 0;
for (const name of readdirSync(here).filter((n) => n.endsWith(".js")).sort()) {
  if (only.length > 0 && !only.includes(name)) continue;
  const { got, want } = outputs(join(here, name));
  if (frames(got) === frames(want)) {
    passed++;
  } else {
    failed++;
    console.log(`${name}: differs\n${firstDifference(frames(got), frames(want))}`);
  }
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
