// title: the value is the one of the moment it was settled
// expect: value:[1]
const list = [1];
setTimeout(() => list.push(2), 5);
return list;
