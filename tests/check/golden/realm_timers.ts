await new Promise(done => setTimeout(done, 5));
await new Promise<void>(done => setTimeout(done));
const once: Promise<string> = new Promise(done => setTimeout(done, 1, "late"));
const beat = setInterval(() => clearInterval(beat), 1);
setTimeout((a, b) => console.log(a.toFixed(1), b.length), 1, 5, "x");
setTimeout(async () => { await null; return 5; }, 1);
queueMicrotask(async () => 5);
return await once;
