// title: Error.prepareStackTrace, or a stack getter of a subclass
// limits: wall=150
// expect: deadline or js-error:any
Error.prepareStackTrace = () => { for (;;) {} };
throw new Error("with a stack");
