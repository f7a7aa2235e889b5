// title: across await: the line, the function, and the line of its caller
// expect: js-error:TypeError
// also: line 10
// also: column 10
// also: stack f
// also: stack program.js:10:10
// also: stack program.js:13:
// also: frame x.b.c
async function f(x) { await host.tick();
  return x.b.c;
}
// the caller
await f({ a: 1 });
