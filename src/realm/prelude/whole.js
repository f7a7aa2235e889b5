// The whole bundle: what every realm has, then what only some have.
import "./prelude.js";
import "./fetch_begins.js";
import "./fetch_globals.js";
