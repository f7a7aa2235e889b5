export const doubled = double(2);
const double = (n: number) => n * 2;
//! TS2448 1:24-1:30 `double` is used before the line that declares it.  [declared=const double = (n: number) => n * 2;]
//! TS2454 1:24-1:30 `double` may be used here before it got a value.
