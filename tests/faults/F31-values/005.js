// expect: value:1
return Promise.resolve(1);
