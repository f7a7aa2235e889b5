// title: in a default export
// expect: js-error:any
// also: thrown 5
export default Promise.reject(5);
