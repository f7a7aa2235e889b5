// title: none
// zone: UTC
// expect: value:["2026-03-29T02:30:00.000Z",0]
[new Date(2026, 2, 29, 2, 30).toISOString(), new Date(2026, 6, 1).getTimezoneOffset()]
