declare const run: { readonly id: string; step: number };
run.id = "other";
export {};
//! TS2540 2:5-2:7 `id` is read-only.
