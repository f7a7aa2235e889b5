// title: repeats that multiply
// limits: wall=1000
// expect: js-error:SyntaxError or value-any or memory-limit or deadline
new RegExp("(?:".repeat(10) + "a" + "){1000}".repeat(10)).test("b");
