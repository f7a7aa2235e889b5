// title: the kinds that cross, each in its form
// expect: value:[{"$type":"bigint","value":"10"},{"$type":"number","value":"NaN"},{"$type":"number","value":"-0"},{"$type":"number","value":"Infinity"},{"$type":"undefined"},{"$type":"date","value":"1970-01-01T00:00:00.000Z"},{"$type":"map","entries":[[1,2]]},{"$type":"set","values":[1]},{"$type":"regexp","source":"a","flags":"g"},{"$type":"bytes","base64":"AQ=="}]
return [10n, NaN, -0, Infinity, undefined, new Date(0), new Map([[1,2]]), new Set([1]), /a/g, new Uint8Array([1])]
