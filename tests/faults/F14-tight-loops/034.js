// title: microtasks that go on after the value is settled do not take it away
// expect: value:"settled"
// limits: linger=50
// also: within 400
Promise.resolve().then(function again() { return Promise.resolve().then(again); });
return "settled";
