// title: Array.from over the longest length
// limits: wall=150
// expect: deadline or memory-limit
Array.from({ length: 2 ** 32 - 1 }, () => 1);
