export const big = 10n + 1;
//! TS2365 1:20-1:27 `+` cannot be used on `10n` and `1`.
