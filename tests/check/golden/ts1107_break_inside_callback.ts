[1, 2, 3].forEach((n) => {
  if (n === 2) break;
});
export {};
//! TS1107 2:16-2:22 This jump would leave the function it stands in; a callback is left with `return`.
