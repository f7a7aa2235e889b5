// title: fences with line ends of Windows
// mode: text
// expect: value:17
// ---
```js
17
```
