class Base { constructor(readonly id: string) {} }
export class Child extends Base { n: number; constructor() { this.n = 1; super("c"); } }
//! TS17009 2:62-2:66 `super(...)` must be called before `this` is used.
