//? --expect Totl
1 + 1
//! TN1124 2:5-2:6 In the contract, there is no `Totl` here.
