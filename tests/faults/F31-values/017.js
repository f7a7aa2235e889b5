// title: holes, negative zero in depth, invalid dates, empty things
// expect: value:[{"$type":"undefined"},1,{"$type":"date","value":null},[],{},"",{"$type":"map","entries":[]},{"z":{"$type":"number","value":"-0"}}]
return [, 1, new Date(NaN), [], {}, "", new Map(), { z: -0 }];
