const stock = new Map([["tea", 4]]);
export const tea = stock["tea"];
//! TS7052 2:20-2:32 `Map<string, number>` cannot be indexed: it has a method for that: did you mean `stock.get`?  [mean=stock.get]
