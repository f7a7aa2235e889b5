//? --expect string
let found: string | null = null;
for (const x of ["a", "b"]) { if (x > "a") break; found = x; 7 }
