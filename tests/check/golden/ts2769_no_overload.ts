declare function find(id: number): string;
declare function find(query: { name: string }): string;
export const hit = find("x");
//! TS2769 3:25-3:28 No overload of this function takes these arguments: expected an argument of type `{ name: string; }`, found `string`.  [declared=declare function find(query: { name: string }): string;]
