// what stays keeps its column, also behind characters of several bytes
let é: "日本😀" | 'ü' = "é"; const after: /* 語 */ "語" = "語"; let x: `
  ${string}`, y = 1;
