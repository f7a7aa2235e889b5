//? --expect Totl
1 + 1
//! TN1124 1:1-1:5 In the expected type, there is no `Totl` here.  [in=the expected type]
