// expect: value:["undefined","ok"] or denied
try { host.f.__proto__.x = 1; } catch {}
const seen = typeof host.g?.x;
[seen, await host.f()]
