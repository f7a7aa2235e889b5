const greeting = "hello
export { greeting };
//! TS1002 1:24-1:24 This string has no closing quote on its line.
