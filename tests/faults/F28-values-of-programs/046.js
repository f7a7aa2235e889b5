// title: a byte order mark is no part of the program
// mode: text
// expect: js-error:TypeError
// also: line 1
// also: column 1
// ---
﻿null.x