// title: more than is kept: head and tail stay, the cut is marked
// limits: console=4096
// expect: output-limit
// also: console log first
console.log("first");
for (let i = 0; i < 1000; i++) console.log("line " + i);
console.log("last");
