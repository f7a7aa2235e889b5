// title: likewise when the answer comes later
// expect: js-error:Error
// also: message-is slow and failed
// also: line 8
// also: stack ask
// also: stack program.js:10:
async function ask() {
  return await host.failsLater(1);
}
await ask();
