// classes, their members, parameter properties
export abstract class A<T> extends B<T> implements C, D<T> {
  static readonly a: number = 1;
  declare b: string;
  abstract c: number;
  abstract d(): void;
  [key: string]: unknown;
  #e?: number;
  constructor(private x: number, public readonly y = 2, z?: string) {
    super(x);
  }
  override f?<U>(this: A<U>, u?: U): u is U { return true; }
  protected get g(): number { return 1 }
  h(): void;
  h(a?: any) { }
}
class Short { constructor(protected v: number) { } }
// ---
// classes, their members, parameter properties
export          class A    extends B                       { x; y;
  static          a         = 1;




  #e         ;
  constructor(        x        ,                 y = 2, z         ) {
    super(x); this.x = x; this.y = y;
  }
           f    (            u    )         { return true; }
            get g()         { return 1 }
  ;
  h(a      ) { }
}
class Short { v; constructor(          v        ) { this.v = v; } }
