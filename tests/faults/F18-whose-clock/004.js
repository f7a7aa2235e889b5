// title: computing in small pieces between waits is added up
// limits: cpu=60 wall=3000
// expect: deadline
// also: code cpu
for (;;) {
  for (const end = Date.now() + 10; Date.now() < end;);
  await host.sleep(1);
}
