class Box { a = this.b + 1; b = 2; }
new Box();
//! TS2729 1:22-1:23 `b` is used before the field gets its value.  [declared=class Box { a = this.b + 1; b = 2; }]
