// title: groups
// expect: value:{"$type":"undefined"}
// also: console log G
// also: console log "  in"
// also: console log "  two\n  lines"
// also: console log out
console.group("G"); console.log("in"); console.log("two\nlines"); console.groupEnd(); console.log("out");
