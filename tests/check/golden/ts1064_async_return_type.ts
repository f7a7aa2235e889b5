export async function load(): string {
  return "x";
}
//! TS1064 1:31-1:37 An async function returns a promise: declare its result as `Promise<string>`.
