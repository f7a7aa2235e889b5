declare function search(query: { text: string; limit?: number }): void;
search({ text: "tax", limits: 5 });
export {};
//! TS2561 2:23-2:29 `{ text: string; limit?: number | undefined; }` has no property `limits`: did you mean `limit`?  [mean=limit]  [edit=limit]  [declared=search: (query: { text: string; limit?: number | undefined; }) => void]
