// title: big integers of both signs and any size
// expect: value:[{"$type":"bigint","value":"0"},{"$type":"bigint","value":"-1"},{"$type":"bigint","value":"18446744073709551616"},{"$type":"bigint","value":"-18446744073709551617"},true]
const big = 3n ** 2000n;
return [0n, -1n, 2n ** 64n, -(2n ** 64n) - 1n, (await host.echo(-big)) === -big];
