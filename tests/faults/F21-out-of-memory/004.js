// expect: value:4294967295
const a = []; a.length = 2 ** 32 - 1; a.length
