// title: nor does a loop in a later turn: the value was settled before
// expect: value:"settled" or deadline
// limits: linger=50 wall=300
setTimeout(() => { for (;;) {} }, 5);
return "settled";
