declare function call(name: string): unknown;
export const id = call("create").id;
//! TS2571 2:19-2:33 This is `unknown`: find out what it is before using it.
