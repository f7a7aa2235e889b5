const text = "The quick brown fox, jumps över the lazy dog; 12.5 € and 42 more. ".repeat(60);
let n = 0;
for (let i = 0; i < 10; i++) {
  n += text.split(" ").map((w) => w[0]?.toUpperCase() + w.slice(1).toLowerCase()).join(" ").length;
  n += text.replaceAll("fox", "cat").replace(/(\w+)er/g, (_, a) => a).length + text.normalize("NFD").length;
  n += [...text.matchAll(/(?<word>\p{L}+)|(\d+(?:\.\d+)?)/gu)].length + text.search(/lazy (?=dog)/i);
  n += text.indexOf("more.", 2000) + text.lastIndexOf("brown") + [...text].length + text.trim().length;
  n += text.split(/[,;.]\s*/).length + text.match(/\b[a-z]{5}\b/gi).length + text.codePointAt(7);
  n += encodeURIComponent(text).length + decodeURIComponent("%C3%B6".repeat(200)).length;
  n += text.padEnd(9000, "ab").startsWith("The") + text.localeCompare("Thf") + escape(text).length;
}
for (let i = 0; i < 3000; i++) n += `${i}:${(i / 7).toFixed(2)} ${i.toString(36)}`.length + parseFloat(i + ".25") + parseInt("z" + i, 36);
for (let i = 0; i < 3000; i++) n += (i * 1.1e10).toPrecision(6).length + String(i / 3).length + Number("1e" + (i % 9));
return n;
