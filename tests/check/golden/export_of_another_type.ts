//? --export 'rendr:(name: string) => string' --export 'default:() => Promise<string>'
export function rendr(name: string) { return name.length; }
export default async function main() { return 5; }
//! TN1123 2:17-2:22 Export `rendr` must be `(name: string) => string`: expected `(name: string) => string`, found `(name: string) => number`: expected `string`, found `number`.
//! TN1123 3:31-3:35 Export `default` must be `() => Promise<string>`: expected `() => Promise<string>`, found `() => Promise<number>`: expected `string`, found `number`.
