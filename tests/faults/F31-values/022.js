// title: Map with keys of every kind, Set of sets
// expect: value:{"$type":"map","entries":[[{"k":1},"object"],[{"$type":"number","value":"NaN"},1],["s",{"$type":"set","values":[{"$type":"set","values":[]}]}]]}
return new Map([[{ k: 1 }, "object"], [NaN, 1], ["s", new Set([new Set()])]]);
