const point: [x: number, y: number] = [1, 2];
export const z = point[2];
//! TS2493 2:24-2:25 `[x: number, y: number]` has no element 2: its length is 2.
