class Only { private constructor() {} static make() { return new Only(); } }
export const one = new Only();
//! TS2673 2:20-2:30 The constructor of `Only` is private: only the class itself can use it.
