// mode: text
// expect: value:6
// ---
await Promise.resolve(6)
