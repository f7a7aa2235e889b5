return 1; }
function other() {
//! TS1128 1:11-1:12 A statement or declaration was expected, found `}`.
//! TS1005 3:1-3:1 Expected `}`, found the end of the text.
