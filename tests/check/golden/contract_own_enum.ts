//? --expect "Size | undefined"
enum Size { Small = "s", Large = "l" }
if (Math.random() > 2) return Size.Small;
return "m";
//! TS2322 4:1-4:7 Expected `Size | undefined`, found `"m"`.
