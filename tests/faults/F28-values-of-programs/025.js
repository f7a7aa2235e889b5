// title: fences with tildes and no language
// mode: text
// expect: value:14
// ---
~~~
14
~~~
