interface Job { isDone(): boolean; id: number }
export function pick(j: Job) {
  if (j.isDone) return j.id;
  return -1;
}
//! TS2774 3:7-3:15 This condition is always true, since the function is not called: `()` is missing.
