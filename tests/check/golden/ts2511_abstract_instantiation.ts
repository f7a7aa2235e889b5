abstract class Task { run() {} }
export const t = new Task();
//! TS2511 2:18-2:28 An abstract class cannot be made with `new`; a class derived from it can.
