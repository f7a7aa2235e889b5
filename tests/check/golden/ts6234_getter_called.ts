class Box { get size() { return 1; } }
export const size = new Box().size();
//! TS6234 2:31-2:35 This is a getter: it is read, without `()`: `Number` is no function.
