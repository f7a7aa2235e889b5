// title: a comment that would swallow what comes after
// mode: text
// expect: value:15
// ---
15 // and nothing after