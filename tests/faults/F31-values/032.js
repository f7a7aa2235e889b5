// title: an array as argument with extra members, and a very long one
// expect: value:[100000,99999]
const back = await host.echo(Object.assign(Array.from({ length: 100000 }, (_, i) => i), { extra: 1 }));
return [back.length, back[99999]];
