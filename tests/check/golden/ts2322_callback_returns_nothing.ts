const nums: number[] = [1, 2, 3].map((n) => { n * 2; });
export { nums };
//! TS2322 1:7-1:11 Expected `number[]`, found `void[]`: expected `number`, found `void`.
