// title: rejected with what is no error
// expect: value:3
// also: finding TN2001 *
Promise.reject(undefined); Promise.reject({ a: 1 }); Promise.reject("text");
3
