export function label() { return this.name; }
//! TS2683 1:34-1:38 Nothing says what `this` is in this function: use an arrow function or declare `this`.
