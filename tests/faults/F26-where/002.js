// title: three functions deep, each after an await
// expect: js-error:Error
// also: message-is deep
// also: line 8
// also: stack third
// also: stack second
// also: stack first
async function third() { await host.tick(); throw new Error("deep"); }
async function second() {
  await host.tick();
  await third();
}
async function first() { return await second(); }
await first();
