// title: JSON that does not parse names what was wrong, at the program's line
// expect: js-error:SyntaxError
// also: status failed
// also: line 5
JSON.parse("{\"a\": 1,}");
