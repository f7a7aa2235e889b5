declare const parent: { id: string } | null | undefined;
export const id = parent.id;
//! TS18049 2:19-2:25 `parent` may be `null` or `undefined`.
