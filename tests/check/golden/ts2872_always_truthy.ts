export const pick = [1, 2] ? "some" : "none";
//! TS2872 1:21-1:27 This is always true.
