//? --expect number
if (Math.random() > 0.5) return 1;
console.log("x");
//! TN1121 3:17-3:18 The program must give a value of type `number`, and one way through it ends without one.
