// expect: js-error:any
// also: thrown "boom"
// also: message boom
throw "boom";
