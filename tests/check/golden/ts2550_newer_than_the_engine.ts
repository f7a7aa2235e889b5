export const at = new Date().toTemporalInstant();
//! TS2550 1:30-1:47 `Date` has no property `toTemporalInstant` in the version of the language that programs run in.
