// title: lines are counted with every line end
// mode: text
// expect: js-error:Error
// also: line 3
// ---

/* a
*/ throw new Error("third");
