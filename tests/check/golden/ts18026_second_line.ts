const a = 1;
#!/usr/bin/env node
return a;
//! TS18026 2:1-2:3 A `#!` line may only be the first line of a program; remove it or put it there.
//! TS1005 2:16-2:20 Expected `;`, found `node`.
