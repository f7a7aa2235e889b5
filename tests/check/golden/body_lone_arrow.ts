//? --expect '{ kind: "a" | "b"; n: string }'
async () => {
  const r = { kind: "a" };
  return { kind: "a", n: 1 };
}
//! TS2322 4:23-4:24 Expected `string`, found `number`, for `n` of `{ kind: "a" | "b"; n: string; }`.
