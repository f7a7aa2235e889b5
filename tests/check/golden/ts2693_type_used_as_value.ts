interface Invoice { id: string }
export const check = (x: unknown) => x instanceof Invoice;
//! TS2693 2:51-2:58 `Invoice` is a type, and a value must stand here.
