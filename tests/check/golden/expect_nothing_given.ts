//? --expect number
const total = [1, 2].reduce((a, b) => a + b);
//! TN1121 2:45-2:46 The program must give a value of type `number`, and gives none: end it with `return` or an expression.
