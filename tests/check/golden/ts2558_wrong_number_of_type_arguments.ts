export const seen = new Set<string, number>();
//! TS2558 1:29-1:43 Expected 1 type argument, found 2.
