// title: after the deadline of one await no second one begins
// limits: wall=200
// expect: deadline
// also: calls 1
for (;;) {
  try { await host.never(); } catch { /* it does not come back */ }
}
