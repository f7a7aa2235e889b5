// title: counters, groups and timers of the console
// mode: body-twice
// expect: value:1
// also: console log default: 1
// also: console log g
// also: console log "  inside"
console.count(); console.group("g"); console.log("inside"); console.time("t");
1
