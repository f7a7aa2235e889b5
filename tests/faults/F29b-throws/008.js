// expect: js-error:any
// also: thrown false
throw false;
