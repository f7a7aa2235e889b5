// title: an object of several members, over lines
// mode: text
// expect: value:{"a":1,"b":[2]}
// ---
{
  a: 1,
  "b": [2]
}
