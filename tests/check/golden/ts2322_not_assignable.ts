declare function ticketCount(): Promise<number>;
const n: string = await ticketCount();
export { n };
//! TS2322 2:7-2:8 Expected `string`, found `number`.
