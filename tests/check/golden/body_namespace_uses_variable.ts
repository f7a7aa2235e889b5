//? --expect number
namespace Util { export function twice(n: number) { return n * k; } }
const k = 2;
return Util.twice("a");
//! TS2345 4:19-4:22 Expected an argument of type `number`, found `string`.  [declared=Util.twice: (n: number) => number]
