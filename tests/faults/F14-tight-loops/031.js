// title: in an exported default that is a function, called for its value
// limits: wall=150
// expect: deadline
// mode: text
// ---
async () => { for (;;) {} }
