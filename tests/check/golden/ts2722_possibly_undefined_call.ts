interface Hooks { done?: (n: number) => void }
export function finish(h: Hooks) { h.done(1); }
//! TS2722 2:36-2:42 What is called here may be `undefined`.
