// what the engine cannot do is a finding
@decorator class A { @member() m() { } accessor x = 1 }
import fs = require("fs");
import unused = require("unused");
fs.x;
export = A;
