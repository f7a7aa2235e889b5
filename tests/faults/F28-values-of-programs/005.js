// mode: text
// expect: value:7
// ---
```ts
const a = 3;
a + 4
```
