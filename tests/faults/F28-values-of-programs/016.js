// mode: text
// expect: value:"caught"
// ---
try { throw 1 } catch { "caught" }
