declare function search(query: { text: string; limit?: number }): void;
search({ text: "tax", max: 5 });
export {};
//! TS2353 2:23-2:26 `{ text: string; limit?: number | undefined; }` has no property `max`.  [declared=search: (query: { text: string; limit?: number | undefined; }) => void]
