// title: while the error is reported; the getter is not asked, so it may end at once
// limits: wall=150
// expect: deadline or js-error:any
throw { get message() { for (;;) {} } };
