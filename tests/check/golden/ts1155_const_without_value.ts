const budget: number;
export { budget };
//! TS1155 1:7-1:13 A `const` variable must be given a value where it is declared.
