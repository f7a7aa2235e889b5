// expect: value:true
new RegExp("(".repeat(25) + "a" + ")?".repeat(25)).test("a");
