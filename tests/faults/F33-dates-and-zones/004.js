// title: text without a zone is local, a date alone is UTC
// zone: Europe/Paris
// expect: value:["2026-03-29T01:30:00.000Z","2026-06-01T00:00:00.000Z","2026-05-31T22:00:00.000Z"]
["2026-03-29T02:30:00", "2026-06-01", "2026-06-01T00:00"].map((s) => new Date(s).toISOString())
