// What a model might write when asked "why did checkout complain around two o'clock?".
// `requests` is the input: 420 lines of a web server's log (examples/requests.json).

function summary(rows) {
  const times = rows.map(row => row.ms).sort((a, b) => a - b);
  const at = q => times[Math.min(times.length - 1, Math.floor(q * times.length))];
  const failed = rows.filter(row => row.status >= 500).length;
  return { count: rows.length, p50: at(0.5), p95: at(0.95), failed };
}

const byRoute = Map.groupBy(requests, row => row.route);
const table = [...byRoute].map(([route, rows]) => ({ route, ...summary(rows) }));
table.sort((a, b) => b.failed - a.failed);
console.table(table);

// Is it the route, or one build of it?
const { route } = table[0];
const builds = [...Map.groupBy(byRoute.get(route), row => row.build)]
  .map(([build, rows]) => ({ build, ...summary(rows) }))
  .sort((a, b) => b.failed - a.failed);
for (const build of builds) console.log("%s: %o", route, build);

const [suspect, healthy] = builds;
const live = requests.filter(row => row.build === suspect.build).map(row => new Date(row.time));
const minutes = Math.round((live.at(-1) - live[0]) / 60000);
console.warn(`${suspect.build} was live for ${minutes} minutes`);

return {
  route,
  build: suspect.build,
  since: live[0],
  slowdown: Math.round(suspect.p50 / healthy.p50),
  users: new Set(byRoute.get(route).filter(row => row.status >= 500).map(row => row.user)),
};
