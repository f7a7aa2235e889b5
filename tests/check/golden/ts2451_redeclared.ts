const result = 1;
const result = 2;
export { result };
//! TS2451 1:7-1:13 `result` is declared twice in the same scope.
//! TS2451 2:7-2:13 `result` is declared twice in the same scope.
