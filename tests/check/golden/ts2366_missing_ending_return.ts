export function grade(score: number): string {
  if (score > 90) return "A";
  if (score > 75) return "B";
}
//! TS2366 1:39-1:45 A way through this function ends without `return`, and its type does not allow `undefined`.
