interface Reply { status: number; body: string }
declare const reply: Reply;
export const code = reply.code;
//! TS2339 3:27-3:31 `Reply` has no property `code`.
