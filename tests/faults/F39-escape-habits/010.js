// title: eval of every kind stays in the realm
// expect: value:[2,"undefined","undefined"] or denied
const indirect = eval;
[indirect("1+1"), indirect("typeof require"), new Function("return typeof std")()]
