export function total(xs: number[]): number {
  xs.reduce((a, b) => a + b, 0);
}
//! TS2355 1:38-1:44 This function is declared to return a value and never returns one.
