// Regular expressions that need memory to be checked: names, references, nested groups.
const year = /(?<year>\d{4})-(?:(?<month>\d\d)|(?<week>W\d\d))\k<year>/u;
const deep = /((((((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))))))/;
const wrong = /\5\k<none>(?<a>b)|\9(/;
const sets = /[\p{L}--[a-z]&&\q{abc|d}]/v;
