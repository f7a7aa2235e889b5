declare function closeTicket(id: number): void;
const ids = new Map([["a", 1]]);
closeTicket(ids.get("a"));
export {};
//! TS2345 3:13-3:25 Expected an argument of type `number`, found `number | undefined`: expected `number`, found `undefined`.  [declared=closeTicket: (id: number) => void]
