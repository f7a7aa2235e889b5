//? --check-declarations --declare bindings/broken.d.ts
broken.list();
//! TS2304 2:30-2:33 There is no `Lst` here.  [in=bindings/broken.d.ts]
