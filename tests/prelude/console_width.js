// Columns of characters of every kind, seen through the boxes of console.table.
const points = []; for (let i = 0xa0; i < 0x20000; i += i < 0x3000 ? 13 : i < 0x1f000 ? 211 : 17) if (i < 0xd800 || i > 0xf8ff) points.push(i);
for (let i = 0; i < points.length; i += 20) console.table(points.slice(i, i + 20).map((p) => [String.fromCodePoint(p), p.toString(16)]));
console.table([["e\u0301", "👍🏽", "👨‍👩‍👧", "日本語", "한국어", "ｈａｌｆ", "ｶﾅ", "🇩🇪", "❤️", "\u200bz"]]);
console.log(["日本", "中国", "한국", "👍", "ü", "é", "abc", "longer text"], Array.from({ length: 20 }, (_, i) => "字".repeat(i % 4)));
