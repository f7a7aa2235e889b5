// How many columns a text takes, for the grouping of arrays and for console.table.
import { StringPrototypeCodePointAt } from "primordials";

/** Columns of `text` in a terminal: 2 for wide characters, 0 for combining and control ones. */
export function getStringWidth(text) {
  let width = 0;
  for (let i = 0; i < text.length; i++) {
    const point = StringPrototypeCodePointAt(text, i);
    if (point > 0xffff) i++;
    if (point >= 127) width += widthOf(point);
    else if (point >= 32) width++;
  }
  return width;
}

const isZeroWidth = (point) =>
  point <= 0x9f || (point >= 0x300 && point <= 0x36f) || (point >= 0x200b && point <= 0x200f) ||
  (point >= 0x20d0 && point <= 0x20ff) || (point >= 0xfe00 && point <= 0xfe0f) ||
  (point >= 0xfe20 && point <= 0xfe2f) || (point >= 0xe0100 && point <= 0xe01ef);

const isWide = (point) =>
  (point >= 0x1100 && point <= 0x115f) || point === 0x2329 || point === 0x232a ||
  (point >= 0x2e80 && point <= 0x3247 && point !== 0x303f) || (point >= 0x3250 && point <= 0x4dbf) ||
  (point >= 0x4e00 && point <= 0xa4c6) || (point >= 0xa960 && point <= 0xa97c) ||
  (point >= 0xac00 && point <= 0xd7a3) || (point >= 0xf900 && point <= 0xfaff) ||
  (point >= 0xfe10 && point <= 0xfe19) || (point >= 0xfe30 && point <= 0xfe6b) ||
  (point >= 0xff01 && point <= 0xff60) || (point >= 0xffe0 && point <= 0xffe6) ||
  (point >= 0x1b000 && point <= 0x1b001) || (point >= 0x1f200 && point <= 0x1f251) ||
  (point >= 0x1f300 && point <= 0x1f64f) || (point >= 0x1f680 && point <= 0x1f6ff) ||
  (point >= 0x1f900 && point <= 0x1f9ff) || (point >= 0x20000 && point <= 0x3fffd);

const widthOf = (point) => (isZeroWidth(point) ? 0 : isWide(point) ? 2 : 1);
