//? --expect "any; //"
return 1;
//! TN1124 1:3-1:4 In the expected type: One type is wanted, and it ends here.  [in=the expected type]
