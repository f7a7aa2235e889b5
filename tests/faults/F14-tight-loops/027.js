// title: Array.from over a length that never ends
// limits: wall=150
// expect: deadline or memory-limit
Array.from({ length: 2 ** 53 - 1 }, () => 1);
