// title: an arrow function with a parameter in brackets, called without one
// mode: text
// expect: value:"undefined"
// ---
(name) => String(name)
