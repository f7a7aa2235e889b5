// title: a timer is waited for
// expect: value:7
await new Promise((yes) => setTimeout(yes, 20));
7
