// title: memory of the run before is not seen in new buffers
// mode: body-twice
// limits: wall=10000
// expect: value:0
const fresh = new Uint8Array(1 << 20);
const sum = fresh.reduce((a, b) => a + b, 0);
fresh.fill(0x5a);
return sum;
