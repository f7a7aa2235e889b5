// mode: body-twice
// expect: value:[{"$type":"undefined"},{"$type":"undefined"},{"$type":"undefined"}]
const seen = [[].x, globalThis.k, ({}).admin];
Array.prototype.x = 1; globalThis.k = "secret"; Object.prototype.admin = true;
return seen;
