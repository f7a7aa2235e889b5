declare function closeTicket(id: number, note?: string): void;
closeTicket("42");
export {};
//! TS2345 2:13-2:17 Expected an argument of type `number`, found `string`.  [declared=closeTicket: (id: number, note?: string | undefined) => void]
