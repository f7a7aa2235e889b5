const list: string[] = {};
export { list };
//! TS2740 1:7-1:11 `{}` lacks `length`, `pop`, `push`, `concat` and more of `string[]`.
