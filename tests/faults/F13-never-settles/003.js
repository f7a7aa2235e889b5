// title: a race that nobody can win
// limits: wall=30000
// expect: no-settle
// also: within 200
const never = () => new Promise(() => {});
await Promise.race([never(), never()]);
