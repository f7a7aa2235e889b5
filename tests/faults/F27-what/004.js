// title: a deadline is a limit, and no internal error
// limits: wall=100
// expect: deadline
// also: name LimitError
// also: code wall
// also: message 100 ms
// also: hint loop
for (;;);
