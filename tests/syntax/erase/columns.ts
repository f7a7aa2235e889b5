// what stays keeps its column, also behind characters of several bytes
let é: "日本😀" | 'ü' = "é"; const after: /* 語 */ "語" = "語"; let x: `
  ${string}`, y = 1;
// ---
// what stays keeps its column, also behind characters of several bytes
let é   　　          = "é"; const after     　     　  = "語"; let x
            , y = 1;
