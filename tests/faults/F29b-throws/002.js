// expect: js-error:Error
// also: message-is
throw new Error("");
