// title: a module by any other name
// expect: value:[]
const got = [];
for (const n of ["host/../host", "./host", "host ", "HOST", "host\0", "node:fs", "fs", "std", "os", "data:text/javascript,export default 1", "blob:x", "http://127.0.0.1/", "/etc/passwd", "tools.test/"]) {
  try { await import(n); got.push(n); } catch { /* as it must be */ }
}
got
