// title: around the missing hour
// zone: Europe/Paris
// expect: value:[1774745999999,1774746000000,"2026-03-29T01:30:00.000Z","2026-03-29T22:00:00.000Z"]
const d = new Date(2026, 2, 28, 2, 30), e = new Date(2026, 2, 29, 0, 0);
d.setDate(29); e.setHours(24);
[new Date(2026, 2, 29, 1, 59, 59, 999).getTime(), new Date(2026, 2, 29, 3, 0).getTime(), d.toISOString(), e.toISOString()]
