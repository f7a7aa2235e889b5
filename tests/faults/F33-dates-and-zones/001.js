// title: an hour that does not exist
// zone: Europe/Paris
// expect: value:"2026-03-29T01:30:00.000Z"
new Date(2026, 2, 29, 2, 30).toISOString()
