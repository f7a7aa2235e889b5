declare function load(id: number): Promise<string>;
function names(ids: number[]) {
  return ids.map((id) => await load(id));
}
export { names };
//! TS1308 3:26-3:31 `await` may only stand in async functions and at the top of modules.
