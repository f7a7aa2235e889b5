// expect: js-error:any
// also: thrown ""
throw "";
