// title: counting and asserting
// expect: value:{"$type":"undefined"}
// also: console log default: 1
// also: console log x: 1
// also: console log default: 2
// also: console log default: 1
// also: console warn Assertion failed: bad news
// also: console warn Assertion failed
// also: console-count 6
console.count(); console.count("x"); console.count(); console.countReset(); console.count();
console.assert(true, "no"); console.assert(false, "bad %s", "news"); console.assert(false);
