// title: a rejected promise that was made long before
// expect: js-error:Error
// also: line 4
const early = Promise.resolve().then(() => { throw new Error("early"); });
early.catch(() => {});
await host.tick();
await early;
