// title: time
// expect: value:"done"
console.time("t"); console.timeLog("t", 1); console.timeEnd("t");
console.trace("here"); console.dirxml({ a: 1 }); console.groupCollapsed("g"); console.groupEnd();
"done"
