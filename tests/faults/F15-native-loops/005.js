// limits: wall=5000
// expect: js-error:SyntaxError or stack-limit
JSON.parse("[".repeat(1e6));
