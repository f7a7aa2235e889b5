//? --expect number
[1].join();
const later = 1;
class After {}
//! TS2322 2:1-2:12 Expected `number`, found `string`.
