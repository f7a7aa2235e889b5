//? --declare bindings/late_shebang.d.ts --check-declarations
return late;
//! TS18026 2:1-2:3 A `#!` line may only be the first line of all.  [in=bindings/late_shebang.d.ts]
//! TS1005 2:16-2:21 `;` is missing here.  [in=bindings/late_shebang.d.ts]
