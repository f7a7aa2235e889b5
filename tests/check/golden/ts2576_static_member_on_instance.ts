class Clock { static now() { return 1; } }
export const t = new Clock().now();
//! TS2576 2:30-2:33 `now` is no property of an instance of `Clock`: it is static: did you mean `Clock.now`?  [mean=Clock.now]
