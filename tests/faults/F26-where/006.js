// title: the place of a throw, not of the new
// expect: js-error:Error
// also: line 5
// also: cause inner
const inner = new TypeError("inner"); throw new Error("outer", { cause: inner });
