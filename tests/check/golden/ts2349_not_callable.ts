const config = { timeout: 5 };
export const t = config.timeout();
//! TS2349 2:25-2:32 This is not a function, so it cannot be called: `Number` is no function.
