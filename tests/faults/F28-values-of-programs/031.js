// title: an input is a name in scope
// mode: text
// input: {"name":"ada","n":{"$type":"bigint","value":"5"}}
// expect: value:["ADA","bigint"]
// ---
[name.toUpperCase(), typeof n]
