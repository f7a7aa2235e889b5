// title: typed arrays, buffers and views
// expect: value:[{"$type":"Float64Array","values":[1.5,{"$type":"number","value":"NaN"}]},{"$type":"Int8Array","values":[-1]},{"$type":"BigInt64Array","values":["-5"]},{"$type":"bytes","base64":"AAE=","view":"ArrayBuffer"},{"$type":"bytes","base64":"AAA=","view":"DataView"},{"$type":"Uint8ClampedArray","values":[255]}]
return [new Float64Array([1.5, NaN]), new Int8Array([255]), new BigInt64Array([-5n]), new Uint8Array([0, 1]).buffer, new DataView(new ArrayBuffer(2)), new Uint8ClampedArray([300])];
