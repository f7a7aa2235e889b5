export const home = process.env["HOME"];
//! TS2591 1:21-1:28 There is no `process` here: programs do not run in Node.
