// title: a thenable is awaited
// expect: value:7
return { then: f => f(7) };
