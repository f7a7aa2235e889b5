export const wait = new Promise<number>((resolve) => { resolve(); });
//! TS2794 1:56-1:63 Expected 1 argument, found 0: a promise of nothing is `Promise<void>`.  [declared=resolve: (value: number | PromiseLike<number>) => void]
