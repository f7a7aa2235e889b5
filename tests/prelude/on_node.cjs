// Runs one script of this folder in Node as a classic script, as the engine does.
const { readFileSync } = require("node:fs");
const { runInThisContext } = require("node:vm");

globalThis.advance = () => {};
runInThisContext(readFileSync(process.argv[2], "utf8"), { filename: "test.js" });
