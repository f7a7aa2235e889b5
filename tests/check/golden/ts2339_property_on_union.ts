type Shape = { kind: "circle"; radius: number } | { kind: "square"; side: number };
export const size = (s: Shape) => s.radius;
//! TS2339 2:37-2:43 `Shape` has no property `radius`: `{ kind: "square"; side: number; }` has no property `radius`.
