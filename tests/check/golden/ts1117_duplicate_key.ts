export const row = { id: 1, title: "a", id: 2 };
//! TS1117 1:41-1:43 This object has the property `id` twice.
