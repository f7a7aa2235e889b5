// title: a catch that begins again
// limits: wall=150
// expect: deadline
(async () => { for (;;) { try { for (;;) {} } catch {} } })();
