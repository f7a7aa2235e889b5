// title: an instance of a class crosses as its data
// expect: value:{"x":1,"y":2}
class P { x = 1; y = 2; #hidden = 3; get z() { return 4; } m() {} }
return new P();
