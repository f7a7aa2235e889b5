// title: data that looks like a form
// expect: value:{"$type":"object","entries":[["$type","date"],["value",1]]}
return { $type: "date", value: 1 };
