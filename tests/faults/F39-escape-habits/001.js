// title: the constructor of a host function makes functions of this realm
// expect: value:[1,"undefined","undefined"] or denied
const made = host.f.constructor("return typeof process")();
[host.f.constructor("return 1")(), made, host.f.constructor("return typeof require")()]
