// expect: value:1
// also: finding TN2001 3 x
Promise.reject(new Error("x"));
1
