[1, 2, 3].forEach((n) => {
  if (n === 2) break;
});
export {};
//! TS1107 2:16-2:22 This would jump out of the function it stands in; use `return`.
