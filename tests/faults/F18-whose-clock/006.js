// title: pieces far shorter than a tick are added up too
// limits: cpu=60 wall=3000
// expect: deadline
// also: code cpu
for (;;) {
  for (const end = Date.now() + 2; Date.now() < end;);
  await host.sleep(1);
}
