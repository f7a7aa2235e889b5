// title: a name that is not there
// expect: js-error:ReferenceError
// also: message consol
// also: line 6
// also: column 1
consol.log(1);
