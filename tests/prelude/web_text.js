const hex = (b) => Array.from(b, (x) => x.toString(16).padStart(2, "0")).join(" ");
const enc = new TextEncoder();
for (const s of ["", "abc", "é", "€", "😀", "\ud800", "a\udc00b", "\ud800\ud800", "x\0y"]) console.log(hex(enc.encode(s)));
console.log(hex(enc.encode()), hex(enc.encode(undefined)), hex(enc.encode(null)), hex(enc.encode(12)), enc.encoding);
for (const [s, n] of [["abc", 2], ["é€", 2], ["é€", 4], ["😀x", 3], ["😀x", 5], ["a😀", 4], ["", 0], ["abc", 0]]) { const d = new Uint8Array(n); console.log(JSON.stringify(enc.encodeInto(s, d)), hex(d)); }
const seqs = [[], [0x61], [0xc3, 0xa9], [0xe2, 0x82, 0xac], [0xf0, 0x9f, 0x98, 0x80], [0xff], [0xc0, 0x80], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x82], [0xe2, 0x28, 0xa1], [0xf0, 0x9f, 0x98], [0xf0, 0x9f, 0x41], [0xc3], [0x80, 0x80], [0xef, 0xbb, 0xbf, 0x61], [0xef, 0xbb], [0xf8, 0x88, 0x80, 0x80, 0x80], [0xe0, 0x80, 0xaf], [0x61, 0xe2, 0x62]];
const code = (s) => Array.from({ length: s.length }, (_, i) => s.charCodeAt(i).toString(16)).join(" ");
for (const s of seqs) {
  const b = new Uint8Array(s);
  let fatal; try { fatal = code(new TextDecoder("utf-8", { fatal: true }).decode(b)); } catch (e) { fatal = e.name + " " + e.code; }
  console.log(code(new TextDecoder().decode(b)), "|", fatal, "|", code(new TextDecoder("utf8", { ignoreBOM: true }).decode(b)));
  const st = new TextDecoder(); let out = ""; for (const x of s) out += code(st.decode(new Uint8Array([x]), { stream: true })) + ","; console.log(out, code(st.decode()));
}
const u16 = (...units) => new Uint8Array(new Uint16Array(units).buffer);
for (const b of [u16(0x61, 0x20ac), u16(0xd83d, 0xde00), u16(0xd83d), u16(0xde00, 0x61), u16(0xfeff, 0x61), new Uint8Array([0x61]), u16(0xd83d, 0x61), new Uint8Array([0x61, 0, 0x62])]) {
  console.log(code(new TextDecoder("utf-16le").decode(b)));
  const st = new TextDecoder("utf-16"); let out = ""; for (const x of b) out += code(st.decode(new Uint8Array([x]), { stream: true })) + ","; console.log(out, code(st.decode()));
}
const all = new Uint8Array(256).map((_, i) => i);
for (const l of ["latin1", "ascii", "windows-1252", "iso-8859-1", "us-ascii", "L1"]) console.log(new TextDecoder(l).encoding, code(new TextDecoder(l).decode(all.subarray(0x70, 0xa4))));
for (const l of ["UTF-8", " utf8 ", "utf-16", "UTF-16LE", "unicode-1-1-utf-8", "bogus", ""]) { try { const d = new TextDecoder(l); console.log(d.encoding, d.fatal, d.ignoreBOM); } catch (e) { console.log(e.name, e.message, e.code); } }
console.log(new TextDecoder().decode(new Uint8Array([0x61, 0x62, 0x63]).buffer), new TextDecoder().decode(new DataView(new Uint8Array([0x61, 0x62, 0x63]).buffer, 1)), new TextDecoder().decode(new Uint16Array([0x6261])), new TextDecoder().decode());
try { new TextDecoder().decode("x"); } catch (e) { console.log(e.name, e.code); }
try { new TextDecoder().decode(5); } catch (e) { console.log(e.name, e.code); }
try { enc.encodeInto("x", []); } catch (e) { console.log(e.name, e.code); }
try { TextDecoder.prototype.decode.call({}); } catch (e) { console.log(e.name, e.code); }
const st = new TextDecoder("utf-8", { fatal: true }); console.log(st.decode(new Uint8Array([0xe2]), { stream: true }).length); try { st.decode(); } catch (e) { console.log(e.name); } console.log(st.decode(new Uint8Array([0x62])));
console.log(enc, new TextDecoder("latin1"), [new TextDecoder()], { e: { e: { e: { e: enc } } } });
console.log(Object.keys(TextEncoder.prototype).join(), Object.keys(TextDecoder.prototype).join(), TextEncoder.length, TextDecoder.length, String(enc), String(new TextDecoder()));
const big = "aé€😀".repeat(20000); console.log(new TextDecoder().decode(enc.encode(big)) === big, enc.encode(big).length);
console.log(btoa("hello"), atob("aGVsbG8="), btoa("\xff"), atob(" aGk "), atob("YQ"));
for (const bad of ["a", "a===", "YQ=", "Y_Q="]) { try { console.log(JSON.stringify(atob(bad))); } catch (e) { console.log(e.name, e.code); } }
try { btoa("€"); } catch (e) { console.log(e.name, e.code); }
