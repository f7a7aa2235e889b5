// title: both: the returned one wins, and that is told
// mode: text
// expect: value:1
// also: finding TN1001 2
// ---
export default 7;
return 1;
