// expect: js-error:any
// also: message Symbol(s)
throw Symbol("s");
