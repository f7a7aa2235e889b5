// title: back references and look-behind
// limits: wall=150
// expect: deadline or value:false
/(?<=^(a*)*)\1b$/.test("a".repeat(60));
