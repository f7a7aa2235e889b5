// title: registered symbols, cached templates, regular expressions' last match
// mode: body-twice
// expect: value:[0,"",true]
const tag = (s) => s;
const strings = tag`one`;
const last = RegExp.$1 ?? "";
const index = /a/g.lastIndex;
/(secret)/.exec("secret");
Object.freeze(Symbol.for("kept"));
return [index, last, Object.isFrozen(strings)];
