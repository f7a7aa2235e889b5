// title: what is not there
// expect: value:[]
["process", "require", "module", "exports", "Deno", "Bun", "std", "os", "bjson", "scriptArgs", "Worker", "load", "read", "quit", "gc", "fetch", "XMLHttpRequest", "WebAssembly", "SharedArrayBuffer", "Atomics", "navigator", "window", "global", "print", "__loadScript"].filter((n) => n in globalThis)
