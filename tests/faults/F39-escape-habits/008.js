// title: words with spaces and dollars arrive as they are
// expect: value:["a b; echo pwned","$(id)",""]
await host.echo(["a b; echo pwned", "$(id)", ""])
