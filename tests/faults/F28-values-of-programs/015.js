// title: the value of try, of a loop, of switch, as the language has it
// mode: text
// expect: value:[1]
// ---
let out = [];
for (const x of [1]) { out.push(x); }
out
