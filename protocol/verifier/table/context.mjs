// The context of every proof (SPEC.md part 2, Binding).

import { bigEndian, concat, utf8 } from "../bytes.mjs";
import { digest } from "../hashes.mjs";

export const context = (table, entry, word) => {
  const seat = table.seatOf ? table.seatOf[entry.author] : entry.author;
  const number = table.hand === null ? 0 : table.hand.number;
  const where = concat(bigEndian(number, 8), bigEndian(entry.seq, 8), bigEndian(seat, 8));
  return concat(utf8(`p2p304/1 ${word} `), digest("p2p304 binding", table.T, where, entry.prev));
};
