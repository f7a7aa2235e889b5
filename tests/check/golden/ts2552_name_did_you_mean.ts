const customers = ["a", "b"];
export const n = custommers.length;
//! TS2552 2:18-2:28 There is no `custommers` here: did you mean `customers`?  [mean=customers]  [edit=customers]  [declared=const customers = ["a", "b"];]
