// title: half an hour of summer time, below
// zone: Australia/Lord_Howe
// expect: value:["2026-03-28T15:30:00.000Z","2026-10-24T15:30:00.000Z",[-660,-630]]
[new Date(2026, 2, 29, 2, 30).toISOString(), new Date(2026, 9, 25, 2, 30).toISOString(), [new Date(2026, 0, 1).getTimezoneOffset(), new Date(2026, 6, 1).getTimezoneOffset()]]
