// How many columns a text takes, for the grouping of arrays and for console.table: two for wide
// characters (East Asian Width W and F, and emoji), none for combining and control characters.
import {
  ArrayPrototypePush, NumberParseInt, RegExp, RegExpPrototypeExec, StringPrototypeCodePointAt,
  StringPrototypeIndexOf, StringPrototypeSlice, StringPrototypeSplit,
} from "primordials";

// The ranges of wide characters in base 36: the distance from the end of the range before, then,
// behind a point, how many more there are.
const WIDE =
  "3cw.2n 3i3.1 e.1 5b.3 4 3 ei.1 m.1 r.7 h.b 18 b.5 4 e 9.1 i.1 6.1 9 6 m 8.1 2 5 3 8 5.1 " +
  "t 10 2 5.2 2 1q.2 p f nw.1 1g 5 mj.p 2.2g d.5x r.26 3.2d 3.2u 6.16 2.2l 2.2d a.1b 2.13 " +
  "9.mkc 4.1i wq.s hw.8mb 6l9.e7 lt.9 n.y 2.i 2.3 46.2n 3k.6 m4a.4 c.6 a.5p1 16.v 2q.36 " +
  "6pq.3 2.6 2.1 2.82 g u.2 3 f.3 9.az 603.1 2k.1 90.2e a.m 5n2 5n 5b 3.9 24.s e.17 5.8 8.1 " +
  "f.5 4b.w d.8 2.1x 2.l d.16 5.4 d.g 4 4.1y 2 2.56 3.1q e.3 2.n j r.1 e 2f.2c 1d.1x 7 4.2 " +
  "3.3 4.3 c.1 8.8 6c.b 5 7w.1a 2.9 2.54 35.c 4.a 4.1k 2 5.f 3.b 5.9 zs.1ekd 3.1ekd";

let ends; // first and last character of each range, unpacked when a text first needs them
let zero;

function unpack() {
  ends = [];
  const ranges = StringPrototypeSplit(WIDE, " ");
  let at = 0;
  for (let i = 0; i < ranges.length; i++) {
    const point = StringPrototypeIndexOf(ranges[i], ".");
    const more = point === -1 ? 0 : NumberParseInt(StringPrototypeSlice(ranges[i], point + 1), 36);
    at += NumberParseInt(point === -1 ? ranges[i] : StringPrototypeSlice(ranges[i], 0, point), 36);
    ArrayPrototypePush(ends, at);
    at += more;
    ArrayPrototypePush(ends, at);
  }
  zero = new RegExp("[\\p{Mn}\\p{Me}\\p{Cf}\\p{Cc}]", "u");
}

function isWide(point) {
  let low = 0;
  let high = ends.length - 2;
  while (low <= high) {
    const middle = ((low + high) >> 2) << 1;
    if (point < ends[middle]) high = middle - 2;
    else if (point > ends[middle + 1]) low = middle + 2;
    else return true;
  }
  return false;
}

function widthOf(point, character) {
  if (ends === undefined) unpack();
  if (isWide(point)) return 2;
  return point !== 0xad && RegExpPrototypeExec(zero, character) !== null ? 0 : 1;
}

/** Columns of `text` in a terminal. */
export function getStringWidth(text) {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const point = StringPrototypeCodePointAt(text, i);
    const size = point > 0xffff ? 2 : 1;
    if (point >= 127) width += widthOf(point, StringPrototypeSlice(text, i, i + size));
    else if (point >= 32) width++;
    i += size - 1;
  }
  return width;
}
