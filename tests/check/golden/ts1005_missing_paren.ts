if (Math.random() > 0.5 {
  throw new Error("odd");
}
export {};
//! TS1005 1:25-1:26 Expected `)`, found `{`.
