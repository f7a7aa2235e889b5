// title: an interval repeats until it is cleared from inside
// expect: value:3
let n = 0;
await new Promise((yes) => {
  const id = setInterval(() => { if (++n === 3) { clearInterval(id); yes(); } }, 2);
});
n
