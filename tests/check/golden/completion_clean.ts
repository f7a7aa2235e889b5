//? --expect "{ n: number, k: 'a' | 'b' }"
const n = Math.random();
outer: try {
  if (n > 0.5) Promise.resolve({ n, k: "a" as const });
  else { ({ n, k: "b" }) }
} finally { console.log("done"); }
