export class Session { token: string; }
//! TS2564 1:24-1:29 `token` gets no value: neither where it is declared nor in the constructor.
