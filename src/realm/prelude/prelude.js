// The part of the realm that is written in JavaScript: what a program finds beside the language.
//
// This folder becomes one script (tools/prelude/bundle.mjs), a function of `host`. It is called once,
// while the image is made; every run starts from a copy of what it left. `host` carries the intrinsics
// written in C; nothing here may hand it, or anything taken from it, to a program.
//
// Reading order: native.js (the intrinsics), safe.js and methods.js (what stands in for built-ins),
// inspect_types.js and inspect_overrides.js (our half of Node's inspect, whose other half is read
// from the pinned Node at build time), own_inspectors.js, width.js, console_table.js, console.js;
// then the web's part: convert.js, errors.js, event_target.js, abort.js, text_codec.js, ascii.js,
// percent.js, domain.js, url_search_params.js, url.js (around whatwg-url's parser),
// host_objects.js; then collation.js and locale.js; install.js and this file last.
//
// The one invariant: after the image is made, no built-in is looked up again. A program may patch
// Array.prototype or Symbol.iterator; what is here uses what it captured ("primordials"), reads the
// program's objects through intrinsics that call no getter and no trap, and walks its own lists by
// index.
import { consoleObject } from "./console.js";
import { AbortController, AbortSignal } from "./abort.js";
import { CustomEvent, Event, EventTarget } from "./event_target.js";
import { TextDecoder, TextEncoder } from "./text_codec.js";
import { URL } from "./url.js";
import { URLSearchParams } from "./url_search_params.js";
import { Crypto, crypto, Performance, performance, structuredClone } from "./host_objects.js";
import { installLocaleMethods } from "./locale.js";
import { installGlobals, removeGlobals } from "./install.js";

installGlobals({
  console: consoleObject, AbortController, AbortSignal, Crypto, CustomEvent, Event, EventTarget,
  Performance, TextDecoder, TextEncoder, URL, URLSearchParams, crypto, performance, structuredClone,
});
installLocaleMethods();

// No shared memory: nothing here could use it but a clock. The others are the engine's own.
removeGlobals(["SharedArrayBuffer", "Atomics", "InternalError", "navigator", "print", "scriptArgs",
  "std", "os", "bjson", "gc"]);
