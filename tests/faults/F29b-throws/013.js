// expect: js-error:any
// also: message function
throw function named() {};
