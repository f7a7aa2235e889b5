declare const owner: { name: string } | null;
export const n = owner.name;
//! TS18047 2:18-2:23 `owner` may be `null`.
