// title: inside fences the line is the one of what was sent
// mode: text
// expect: js-error:Error
// also: line 4
// ---
Here it is:
```js
const a = 1;
throw new Error("fourth");
```
