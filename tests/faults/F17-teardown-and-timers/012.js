// title: code in a string is refused; odd handles and delays are not
// expect: value:["TypeError","number",true]
let name;
try { setTimeout("globalThis.evil = 1", 0); } catch (e) { name = e.name; }
for (const odd of [{}, -1, null, undefined, "x"]) clearTimeout(odd);
const fired = await new Promise((yes) => setTimeout(yes, -5, true));
[name, typeof setTimeout(() => {}, Infinity), fired]
