//? --expect "string } ; evil("
return 1;
//! TN1124 1:6-1:7 In the expected type: One type is wanted, and it ends here.  [in=the expected type]
