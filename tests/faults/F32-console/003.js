// title: tables
// expect: value:{"$type":"undefined"}
// also: console log "┌─────────┬───┬─────┐\n│ (index) │ a │ b   │\n├─────────┼───┼─────┤\n│ 0       │ 1 │ 'x' │\n│ 1       │ 2 │     │\n└─────────┴───┴─────┘"
// also: console log "┌─────────┬───┬───┐\n│ (index) │ 0 │ 1 │\n├─────────┼───┼───┤\n│ 0       │ 1 │ 2 │\n│ 1       │ 3 │ 4 │\n└─────────┴───┴───┘"
console.table([{ a: 1, b: "x" }, { a: 2 }]);
console.table([[1, 2], [3, 4]]);
