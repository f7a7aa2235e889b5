// title: what the exported function throws is the program's error
// mode: text
// expect: js-error:RangeError
// also: line 1
// ---
export default function () { throw new RangeError('no'); }
