// title: text that would leave a wrapper
// mode: text
// expect: js-error:SyntaxError
// ---
}); globalThis.left = 'left'; (() => {
