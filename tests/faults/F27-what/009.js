// title: a stack with a getter for a message, and with a message that takes the frames away
// expect: value:["Error: made up","Error: gone"]
const a = new Error('x'), b = new Error('y');
Object.defineProperty(a, 'message', { get() { return 'made up'; } });
Object.defineProperty(b, 'message', { get() { Error.captureStackTrace(b); return 'gone'; } });
[a.stack.split('\n')[0], b.stack.split('\n')[0]];
