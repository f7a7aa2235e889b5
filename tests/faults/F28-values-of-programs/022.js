// title: a function alone, however it is written
// mode: text
// expect: value:11
// ---
(async function () { await null; return 11 })
