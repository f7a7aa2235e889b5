const stop = Date.now() > 0;
if (stop) break;
export {};
//! TS1105 2:11-2:17 `break` may only stand inside a loop or `switch`.
