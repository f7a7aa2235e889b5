// the line of an error is the line in the program
enum Level { Low = 1, High }
namespace Deep { export namespace Er { export const x: number = 1;
  export function fail(a: Level): never {
    throw new Error("at " + Level[a]); // throws here
  } } }
interface Gone {
  a: string;
}
class P { constructor(private a: number, public b = 2) {} run(): void { Deep.Er.fail(this.a as Level) } }
new P(2).run();
