//? --expect number
if (Math.random() > 0.5) return 1;
console.log("x");
//! TN1121 3:1-3:18 The program must give a value of type `number`, and this gives none.
