declare function load(id: number): Promise<string>;
function names(ids: number[]) {
  return ids.map((id) => await load(id));
}
export { names };
//! TS1308 3:26-3:31 `await` needs an async function around it: mark the function `async`.  [declared=return ids.map((id) => await load(id));]
