// everything that is of types only
let a: number = 1, b!: string, c: { x: number; y?: string }[] = [];
const tuple: [first: number, ...rest: string[]] = [1];
function f<T extends object = {}>(this: Window, x?: T, ...rest: readonly string[]): x is T { return !!x; }
const g = async <T,>(x: T): Promise<T> => x as T;
const h = f<string>, i = new Map<string, number>(), j = a! + (b as any)!.length, k = c satisfies unknown;
type Gone = { [K in keyof typeof c]: K extends `a${infer R}` ? R : never };
interface AlsoGone extends Array<number> { (x: number): string; new (): this }
declare const ambient: unique symbol;
declare function ambient2(): asserts a;
declare module "m" { export const x: 1 }
declare global { interface Window { } }
function over(a: string): void;
function over(a: any) { }
try { } catch (e: unknown) { }
for (const x of <any[]>c) { }
label: while (a < b!.length) break label;
// ---
// everything that is of types only
let a         = 1, b         , c                              = [];
const tuple                                     = [1];
function f                       (              x    , ...rest                   )         { return !!x; }
const g = async     (x   )             => x     ;
const h = f        , i = new Map                (), j = a  + (b       ) .length, k = c                  ;







function over(a     ) { }
try { } catch (e         ) { }
for (const x of        c) { }
label: while (a < b .length) break label;
