// expect: js-error:any
// also: thrown 0
throw 0;
