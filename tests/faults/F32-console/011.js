// title: replaced by the program, it is the program's
// expect: value:["mine"]
const said = [];
console.log = (...words) => said.push(...words);
console.log("mine");
said
