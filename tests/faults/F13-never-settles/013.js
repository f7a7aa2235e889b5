// title: a function that is exported as default and never settles
// limits: wall=30000
// expect: no-settle
// also: within 200
export default new Promise(() => {});
