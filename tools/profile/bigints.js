let a = 3n;
for (let i = 0; i < 300; i++) a = (a * 1234567891234567n + BigInt(i)) % (1n << 521n);
let text = "";
for (let i = 0; i < 200; i++) text = ((a << BigInt(i)) ** 3n / (a + 7n) - (a >> 3n)).toString();
return text.length + BigInt.asUintN(64, BigInt(text)).toString(16).length;
