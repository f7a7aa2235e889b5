// title: an accessor is not asked; its path is told
// expect: js-error:TypeError
// also: message a
return { get a() { throw Error("no") }, toJSON() { throw 1 } };
