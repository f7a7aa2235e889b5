// expect: js-error:any
// also: thrown {"$type":"bigint","value":"0"}
throw 0n;
