declare function isAdmin(user: string): Promise<boolean>;
export const allowed = isAdmin("ada") ? "yes" : "no";
//! TS2801 2:24-2:38 This condition is always true, since `Promise<boolean>` is a promise: `await` it.
