// title: a thousand of them are bounded
// expect: value:4
// also: finding TN2001 *
for (let i = 0; i < 1000; i++) Promise.reject(new Error("n" + i));
4
