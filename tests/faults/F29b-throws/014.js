// title: an error without a message, a name, a stack
// expect: js-error:any
const e = new Error("gone");
delete e.message; delete e.stack; e.name = "";
Object.setPrototypeOf(e, null);
throw e;
