export const side = ({ w }) => 1;
//! TS7031 1:24-1:25 `w` needs a type.
