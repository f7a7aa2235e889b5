// id: escape-094
// title: Small objects until the memory limit
// source: hmsk/quickjs.rb#116 (segfault while building the trace), vercel-labs/quickjs-wasi#38 (error became null), bellard/quickjs#533
// mode: body
// memory: 1M 2M 4M 8M 16M
// expect: memory-limit
// safe: Repeat with limits 1, 2, 4, 8 and 16 MB: each time a memory-limit result, never a signal, never a bare null.
let chain = null, size = 0;
const grow = (tag) => { chain = { tag, prev: chain, again: () => size, pair: [tag, -size] }; size++; };
while (size >= 0) grow("node" + size);
