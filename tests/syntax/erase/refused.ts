// what the engine cannot do is a finding
@decorator class A { @member() m() { } accessor x = 1 }
import fs = require("fs");
import unused = require("unused");
fs.x;
export = A;
// ---
// what the engine cannot do is a finding
@decorator class A { @member() m() { } accessor x = 1 }
const  fs = require("fs");

fs.x;
module.exports = A;
// TN1021 2:1
// TN1021 2:22
// TN1022 2:40
// TN1024 6:1
// TN1023 3:1
