const bytes = new Uint8Array(20000).map((_, i) => i * 31);
const view = new DataView(bytes.buffer);
let n = 0;
for (let i = 0; i < 19990; i++) {
  view.setUint32(i, n >>> 0, true);
  n += view.getInt16(i) + view.getFloat64(i & ~7, true) * 0 + view.getUint8(i) || 0;
}
const floats = Float64Array.from(bytes, (x) => x / 3).sort();
n += floats.subarray(3, 90).reduce((a, b) => a + b) + floats.indexOf(2) + bytes.slice(9).fill(3, 1, 9).length;
for (let i = 0; i < 30; i++) {
  const text = new TextDecoder().decode(bytes.subarray(0, 2000));
  n += new TextEncoder().encode(text).length + btoa(String.fromCharCode(...bytes.slice(0, 900))).length;
  n += atob("aGVsbG8gd29ybGQ".repeat(40)).length;
}
return n;
