export async function drain(feed: { next: () => Promise<string> }) {
  for await (const x of feed) x.length;
}
//! TS2504 2:25-2:29 `{ next: () => Promise<string>; }` cannot be iterated over with `for await`.
