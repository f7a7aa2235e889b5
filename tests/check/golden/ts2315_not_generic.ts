interface Cell { value: string }
export const cells: Cell<string>[] = [];
//! TS2315 2:21-2:33 `Cell` takes no type arguments.
