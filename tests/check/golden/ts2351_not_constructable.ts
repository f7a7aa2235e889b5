const helpers = { basket: () => [] as string[] };
export const b = new helpers();
//! TS2351 2:22-2:29 This is not a class, so `new` cannot be used on it: `{ basket: () => string[]; }` is no class.
