export const year = "2026-01-01".match(/\d{4}/)[0];
//! TS2531 1:21-1:48 This may be `null`.
