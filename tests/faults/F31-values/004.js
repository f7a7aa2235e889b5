// title: a promise inside does not; awaited, it does
// expect: js-error:TypeError
// also: message [0]
// also: message romise
return [Promise.resolve(1)];
