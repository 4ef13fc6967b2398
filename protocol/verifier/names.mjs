// What may be a nickname or a table's name (SPEC.md part 4, Names). Categories are those of Unicode 14.0 (unicode_14.mjs), never the
// engine's own (\p{...}): these change from one engine to the next, and no verdict may.

import { HIDDEN, MARKS } from "./unicode_14.mjs";

const VIRAMAS = new Set(`094D 09CD 0A4D 0ACD 0B4D 0BCD 0C4D 0CCD 0D3B 0D3C 0D4D 0DCA 0E3A 0EBA 0F84 1039 103A 1714 1715 1734 17D2 1A60
1B44 1BAA 1BAB 1BF2 1BF3 2D7F A806 A82C A8C4 A953 A9C0 AAF6 ABED 10A3F 11046 11070 1107F 110B9 11133 11134 111C0 11235 112EA 1134D 11442
114C2 115BF 1163F 116B6 1172B 11839 1193D 1193E 119E0 11A34 11A47 11A99 11C3F 11D44 11D45 11D97`.split(/\s+/).map((h) => parseInt(h, 16)));
const INVISIBLE = [[0x34f, 0x34f], [0x115f, 0x1160], [0x17b4, 0x17b5], [0x180b, 0x180f], [0x2065, 0x2065], [0x3164, 0x3164], [0xfe00, 0xfe0f],
  [0xffa0, 0xffa0], [0xfff0, 0xfff8], [0xe0000, 0xe0fff], [0x2800, 0x2800], [0x1d159, 0x1d159]];
const JOINERS = ["\u200c", "\u200d"];

// Whether a code point lies in one of the runs whose lengths a text gives, those outside and inside in turn
function insideRuns(lengths) {
  let edge = 0;
  const edges = lengths.split(/\s+/).map((length) => edge += parseInt(length, 36));
  return (code) => {
    let low = 0, high = edges.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (edges[middle] <= code) low = middle + 1; else high = middle;
    }
    return low % 2 === 1;
  };
}
const [hidden, mark] = [insideRuns(HIDDEN), insideRuns(MARKS)];
const isMark = (c) => mark(c.codePointAt(0));

// Whether every character of a text can be shown: what a name and a founder's sentence have in common
export function canBeShown(text) {
  const chars = [...text];
  let marks = 0;
  for (let i = 0; i < chars.length; i++) {
    const c = chars[i], code = c.codePointAt(0);
    if (JOINERS.includes(c)) {
      if (i === 0 || !VIRAMAS.has(chars[i - 1].codePointAt(0))) return false;
      marks = 0;
      continue;
    }
    if (hidden(code) && c !== " ") return false;
    if (INVISIBLE.some(([low, high]) => code >= low && code <= high)) return false;
    marks = isMark(c) ? marks + 1 : 0;
    if (marks > 2) return false;
  }
  return true;
}

// A remark, or a founder's reason: 1 to 200 characters that can be shown, with single spaces between words
export const isRemark = (text) => typeof text === "string" && [...text].length <= 200 && text.split(" ").every((word) => word !== "") && canBeShown(text);

const beginsWithMark = (word) => isMark([...word][0]);

export function isName(value) {
  if (typeof value !== "string" || [...value].length > 32) return false;
  const words = value.split(" ");
  return !words.includes("") && !words.some(beginsWithMark) && !/[()[\]:.,]/.test(value.normalize("NFKC")) && canBeShown(value);
}
