// expect: js-error:any
// also: thrown {"$type":"number","value":"NaN"}
throw NaN;
