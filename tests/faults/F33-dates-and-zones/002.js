// title: an hour that comes twice is the first
// zone: Europe/Paris
// expect: value:["2026-10-25T00:30:00.000Z",-120]
const d = new Date(2026, 9, 25, 2, 30);
[d.toISOString(), d.getTimezoneOffset()]
