// title: a default export that is a function of nothing is the program
// mode: text
// expect: value:4
// ---
export default async function main() { const n = await 3; return n + 1; }
