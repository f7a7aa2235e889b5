// title: the clock begins where the run says
// now: 1767225600000
// zone: Asia/Kolkata
// expect: value:["2026-01-01T00:00:00",5,true]
const d = new Date(), t = Date.now();
[d.toISOString().slice(0, 19), d.getHours(), t >= 1767225600000 && t < 1767225601000]
