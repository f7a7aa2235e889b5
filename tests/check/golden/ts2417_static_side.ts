class Base { static of(n: number): number { return n; } }
class Derived extends Base { static of(n: string): string { return n; } }
new Derived();
//! TS2417 2:7-2:14 `typeof Derived` does not fit its base `typeof Base` in its static members: expected `string`, found `number`.
