// limits: wall=150
// expect: deadline or js-error:any
Math.hypot(...new Array(60000).fill(1));
for (;;) "ab".repeat(1 << 20).lastIndexOf("b".repeat(1 << 10) + "c");
