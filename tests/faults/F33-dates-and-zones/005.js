// title: the other side of the ocean
// zone: America/New_York
// expect: value:["2026-03-29T06:30:00.000Z",[300,240],2026,"Thu Dec 31 2026 18:30:00 GMT-0500"]
const d = new Date(Date.UTC(2026, 11, 31, 23, 30));
[new Date(2026, 2, 29, 2, 30).toISOString(), [new Date(2026, 0, 1).getTimezoneOffset(), new Date(2026, 6, 1).getTimezoneOffset()], d.getFullYear(), String(d).slice(0, 33)]
