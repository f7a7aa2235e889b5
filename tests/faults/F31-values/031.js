// title: errors as values
// expect: value-text:"$type":"error"
// also: no-finding TN2001
return [new Error("e", { cause: 1 })];
