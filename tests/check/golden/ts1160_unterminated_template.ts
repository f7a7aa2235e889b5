const id = 7;
export const label = `ticket ${id};
//! TS1160 3:1-3:1 This template string has no closing backtick.
