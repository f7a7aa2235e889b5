//? --expect number
const a = Math.random();
if (a > 0.5) { 5 }
//! TN1121 3:18-3:19 The program must give a value of type `number`, and one way through it ends without one.
