// title: half an hour, always
// zone: Asia/Kolkata
// expect: value:["2026-03-28T21:00:00.000Z",-330,2027]
[new Date(2026, 2, 29, 2, 30).toISOString(), new Date(2026, 0, 1).getTimezoneOffset(), new Date(Date.UTC(2026, 11, 31, 23, 30)).getFullYear()]
