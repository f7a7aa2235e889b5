// memory: 8M 16M
// limits: wall=10000
// expect: memory-limit
const m = new Map(); for (let i = 0; ; i++) m.set({ i }, [i]);
