// expect: js-error:any
// also: thrown {"status":"ok","value":1}
throw { status: "ok", value: 1 };
