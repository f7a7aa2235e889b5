// title: waiting for the host is no computing
// limits: cpu=50
// expect: value:"slept"
await host.sleep(200);
