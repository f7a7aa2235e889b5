interface Window { start: Date; end: Date; title: string }
const w: Window = { title: "gap" };
export { w };
//! TS2739 2:7-2:8 `{ title: string; }` lacks `start` and `end` of `Window`.
