// title: an array's own length read from a proxy, two to the 53rd
// limits: wall=150
// expect: deadline or js-error:any
Array.prototype.concat.call([], new Proxy([], { get: (t, k) => (k === "length" ? 2 ** 52 : k === Symbol.isConcatSpreadable), has: () => false }));
