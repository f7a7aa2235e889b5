// title: labelled continue through finally
// limits: wall=150
// expect: deadline
outer: for (;;) { try { continue outer; } finally { Math.sqrt(2); } }
