// title: a symbol does not cross: the error names its path
// expect: js-error:TypeError
// also: message [10]
return [10n, NaN, -0, Infinity, undefined, new Date(0), new Map([[1,2]]), new Set([1]), /a/g, new Uint8Array([1]), Symbol("s"), () => 1, new Error("e", {cause: 1})]
