// title: built-ins replaced, prototypes changed
// mode: body-twice
// expect: value:["undefined","function","function",true]
const seen = [typeof Map.prototype.mark, typeof JSON.parse, typeof Promise.prototype.then, Array.isArray([])];
Map.prototype.mark = 1; JSON.parse = 1; delete Promise.prototype.then; Array.isArray = () => false;
return seen;
