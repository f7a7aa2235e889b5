// localeCompare against the root collation, for the characters whose place is known here.
let seed = 7; const next = (n) => { seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0; return Math.floor((seed / 4294967296) * n); };
const alphabets = ["abAB", "aàáâãäåAÀÁÂeéèêëēçcñnöoøőæœßsßłlđdðıijiþztŧŋn", "aA1 20-_'.", "αβγΑΒΓάέςσΣω", "абвАБВёЁейиіїўу", "\t !\"#$%&'()*+,-./0123456789:;<=>?@[\\]^_`{|}~", "–—‘’“”…«»¡¿·§", "가각나다힣", "一丁中国龥", "áa\u0301a\u0308äạậăâ", "zαая가中a", "\u0000a\u00adb\u007f"];
for (const letters of alphabets) {
  const list = [...letters], text = () => { let out = ""; for (let i = next(5); i >= 0; i--) out += list[next(list.length)]; return out; };
  for (let i = 0; i < 400; i++) {
    const a = text(), b = next(4) === 0 ? a + text() : text();
    console.log(JSON.stringify([a, b]), a.localeCompare(b), b.localeCompare(a, "en-US"), a.localeCompare(b, undefined, { sensitivity: "base" }), a.localeCompare(b, "en", { sensitivity: "accent" }), a.localeCompare(b, undefined, { numeric: true }));
  }
}
console.log(["file10", "file2", "File1", "file01", "file1a", "file", "f", "10", "9", "1.10", "1.9", "a00", "a0"].sort((a, b) => a.localeCompare(b, undefined, { numeric: true, sensitivity: "base" })).join());
console.log(["Zebra", "apple", "Äpfel", "zoo", "Éclair", "eclair", "co-op", "coop", "co op", "résumé", "resume", "Resume", "Ångström", "naïve"].sort((a, b) => a.localeCompare(b)).join());
console.log("a".localeCompare("b"), "a".localeCompare("a"), "a".localeCompare(), "".localeCompare.length, "".localeCompare.name, "1".localeCompare(1));
