// title: from Promise.all: which of them, and where it was awaited
// expect: js-error:Error
// also: message-is b
// also: line 6
// also: stack job
const job = async (n) => { await host.sleep(n * 2); if (n > 1) throw new Error("b"); };
await Promise.all([job(1), job(2), job(3)]);
