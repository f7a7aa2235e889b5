// title: a string at the start is a value, no directive
// mode: text
// expect: value:"use strict"
// ---
"use strict"
