// title: after an error no timer runs
// expect: js-error:Error
// also: console-count 0
// also: within 200
setTimeout(() => console.log("late"), 30);
throw new Error("before");
