// title: a timer's wait is no computing either
// limits: cpu=50
// expect: value:"woke"
await new Promise((yes) => setTimeout(yes, 150, "woke"));
