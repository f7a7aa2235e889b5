//? --value
const n = 3;
n.toFixed(2) + 1
//= value string
