class Base { protected token = "t"; }
export const t = new Base().token;
//! TS2445 2:29-2:34 `token` is protected: only `Base` and classes derived from it can use it.
