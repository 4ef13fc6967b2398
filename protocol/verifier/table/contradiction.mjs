// Two sound transcripts of one table that contradict each other (SPEC.md, *Transcript files*): the first place at which they differ,
// the player who signed two entries for it (`fork`, or null), the players who signed two receipts for it (`split`), those who signed
// two parts that exclude each other (`parted`), and those who signed a part and the next block of the other file (`played_on`).

import { equal, toHex } from "../bytes.mjs";
import { readBlocks } from "../log/container.mjs";

const stated = ({ entry, receipts, parts }) => JSON.stringify([toHex(entry.link), (receipts ?? []).map((r) => [r.author, r.claim]), parts?.map((p) => p.author) ?? null]);

export function contradiction(one, two) {
  const [a, b] = [readBlocks(one), readBlocks(two)];
  for (;;) {
    const [first, second] = [a.next().value, b.next().value];
    if (!first || !second) return null;
    if (stated(first) === stated(second)) continue;
    const forked = !equal(first.entry.link, second.entry.link);
    // The absent player's file may end with the receipts for the entry after which the others part.
    const onceParted = !first.parts !== !second.parts;
    const later = onceParted ? (first.parts ? b : a).next().value : null;
    if (onceParted && !forked && !later) return null;
    const split = (second.receipts ?? []).filter((r) => (first.receipts ?? []).some((s) => s.author === r.author && (forked || s.claim !== r.claim))).map((r) => r.author);
    const authors = (signed) => (signed ?? []).map(({ author }) => author);
    const left = authors(first.parts ?? second.parts), both = later ? authors(later.parts) : authors(first.parts && second.parts);
    const parted = left.filter((author) => both.includes(author));
    const played_on = later ? left.filter((author) => author === later.entry.author || authors(later.receipts).includes(author)) : [];
    return { place: first.entry.seq, fork: forked && first.entry.author === second.entry.author ? first.entry.author : null, split, parted, played_on };
  }
}

// For each sound transcript of `judged` ({file, bytes, table, verdict}) the first one before it that it contradicts
export function* contradictions(judged) {
  const sound = judged.filter(({ table, verdict }) => verdict.verdict === "sound" && table?.T);
  for (const [i, later] of sound.entries()) {
    for (const earlier of sound.slice(0, i)) {
      const found = equal(earlier.table.T, later.table.T) ? contradiction(earlier.bytes, later.bytes) : null;
      if (found) { yield { file: later.file, other: earlier.file, ...found }; break; }
    }
  }
}
