// title: fences inside a template are text
// mode: text
// expect: value:"```js\n1\n```"
// ---
`\`\`\`js
1
\`\`\``
