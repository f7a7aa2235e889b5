// title: fences with words around them
// mode: text
// expect: value:13
// ---
Here is the program you asked for:

```javascript
return 13;
```

It returns thirteen.
