// title: backtracking deeper than any stack is an error or an answer, no trap
// limits: wall=1000
// expect: value:false or js-error:any or memory-limit or deadline
/^(?:x|y)*z$/.test("xy".repeat(1000000));
