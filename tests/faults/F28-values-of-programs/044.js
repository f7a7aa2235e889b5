// title: an exported class is never called
// mode: text
// expect: js-error:TypeError
// also: message the result is a function
// ---
export default class Report { constructor() { this.made = true; } }
