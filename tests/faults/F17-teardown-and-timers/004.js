// title: a short timer at the end still runs
// expect: value-any
// also: console log late
// also: console-count 1
setTimeout(() => console.log("late"), 20);
