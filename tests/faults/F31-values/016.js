// title: sharing survives the way there and back
// expect: value:[true,true]
const one = { x: 1 }, ring = [one, one]; ring.push(ring);
const back = await host.echo(ring);
return [back[0] === back[1], back[2] === back];
