// expect: value:null
/()*?a/.exec("b");
