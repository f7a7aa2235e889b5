// title: a promise as the last value is awaited
// mode: text
// expect: value:8
// ---
Promise.resolve(8)
