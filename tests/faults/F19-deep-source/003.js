// title: deep text of every kind is an error that can be caught, or takes its time and is stopped
// limits: wall=2000
// expect: value:[42,42,42,42,42,42] or deadline
const deep = ["[", "{a:", "!", "`${", "function(){return ", "a=>("];
deep.map((d) => { try { new Function("return " + d.repeat(50000)); return 42; } catch (e) { return e instanceof Error ? 42 : 0; } })
