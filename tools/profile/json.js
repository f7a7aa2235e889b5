const rows = Array.from({ length: 400 }, (_, i) => ({ id: i, name: "row " + i, deep: { on: i % 2 > 0, list: [i, null, 1.5] }, text: "ä\n\"" + i }));
let n = 0;
for (let i = 0; i < 4; i++) {
  const plain = JSON.stringify(rows), pretty = JSON.stringify(rows, null, 2);
  n += JSON.parse(plain).length + JSON.parse(pretty, (k, v) => (k === "id" ? v + 1 : v)).length;
  n += JSON.stringify(rows, ["id", "deep", "on"]).length + structuredClone(rows).length;
  n += JSON.stringify(rows, (k, v) => (typeof v === "number" ? v * 2 : v)).length;
}
return n;
