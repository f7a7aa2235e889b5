// title: by catch() and by finally(), in the order of the language
// expect: value:["caught it is broken","finally"]
const said = [];
await host.fails().catch((e) => said.push("caught " + e.message)).finally(() => said.push("finally"));
said
