// title: caught, or not: an end, and never an endless loop
// memory: 1M 4M 16M
// limits: wall=10000
// expect: memory-limit or value-text:caught
try { const a = []; for (;;) a.push({}); } catch (e) { return "caught " + (e && e.name); }
