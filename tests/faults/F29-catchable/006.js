// title: not caught: what the host said is the run's error
// expect: js-error:Error
// also: message-is boom
// also: effect tools.test.fail 5 failed
await tools.test.fail({ message: "boom" });
