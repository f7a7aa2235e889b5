// title: a text that does not parse: line and column of what is wrong, nothing ran
// expect: js-error:SyntaxError
// also: status refused
// also: finding TN1000 6
// also: console-count 0
let x = (1 + ;
console.log("ran");
