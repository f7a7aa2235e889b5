const a = 1;
export = a;
//! TS1203 2:1-2:12 A program is a module, which has no `export =`: write `export default`.
