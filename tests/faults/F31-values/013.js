// title: each kind arrives as what it is
// expect: value:["undefined","null","boolean","number","bigint","text","bytes","bytes","array","object","map","set","date","regexp","error"]
return [undefined, null, true, 1, 1n, "t", new Uint8Array(2), new ArrayBuffer(2), [1], {}, new Map(), new Set(), new Date(), /x/, new Error()].map((v) => host.typeNow(v));
