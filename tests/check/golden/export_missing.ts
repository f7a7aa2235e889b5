//? --export 'render:(name: string) => string'
export function rendr(name: string) { return name.length; }
export default async function main() { return 5; }
//! TN1122 1:1-1:1 The program must export `render` of type `(name: string) => string`: it exports `rendr`, was that meant?  [mean=rendr]
