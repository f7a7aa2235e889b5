// expect: js-error:any
// also: thrown {"$type":"undefined"}
throw undefined;
