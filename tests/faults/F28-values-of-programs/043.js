// title: a default export that wants arguments is for the host to call
// mode: text
// expect: js-error:TypeError
// also: message the result is a function
// ---
export default (order) => order.total;
