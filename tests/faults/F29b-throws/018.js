// title: an error of errors
// expect: js-error:AggregateError
// also: message-is many
throw new AggregateError([new Error("one"), new TypeError("two")], "many");
