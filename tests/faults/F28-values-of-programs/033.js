// title: a byte order mark, and odd line ends
// mode: text
// expect: value:16
// ---
﻿let a = 16;
a
