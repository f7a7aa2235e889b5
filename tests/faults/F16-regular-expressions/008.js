// title: in replaceAll with a function
// limits: wall=150
// expect: deadline or value-any
("a".repeat(40) + "!").replaceAll(/(a+)+$/g, () => "x");
