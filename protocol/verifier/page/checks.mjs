// Where SPEC.md describes what an entry holds, proves and breaks: its section for each kind of entry, proof and check.

const KINDS = {
  agreement: "The agreement, entry 0", draw: "The draw", shuffle: "Shuffle, cut, unlocking", cut: "Shuffle, cut, unlocking", unlock: "Shuffle, cut, unlocking",
  relock: "Re-ordering a hand", stand_in: "Playing out",
};
export const sectionOfKind = (kind) => KINDS[kind] ?? "What is proved when";

const DLEQ = "Equal logarithms (DLEQ)", SHUFFLE = "The shuffle argument", STATEMENTS = "Statements", UNSEEN = "Logarithms that differ";
const PROOFS = {
  key: ["D02", STATEMENTS], box: ["D15", STATEMENTS], ephemeral: ["D15", STATEMENTS], shuffle: ["D05", SHUFFLE], unlock: ["D07", DLEQ], join: ["D10", DLEQ],
  relock: ["D08", SHUFFLE], keep: ["D09", DLEQ], redeal: ["P02", DLEQ], open: ["P02", DLEQ], play: ["P02", DLEQ], marriage: ["P02", DLEQ], count: ["P02", DLEQ],
  caps: ["P02", DLEQ], viewed: ["P16", DLEQ], inspect: ["P03", STATEMENTS], announce: ["P04", DLEQ], indicator: ["P02", DLEQ], own: ["P02", DLEQ],
  "stand in": ["D14", DLEQ], follow: ["P09", UNSEEN], cut: ["P18", UNSEEN], down: ["P10", UNSEEN], lead: ["P11", UNSEEN], exhausted: ["P12", UNSEEN],
  stuck: ["P13", UNSEEN], "no trumps": ["P14", UNSEEN], spoilt: ["P19", UNSEEN],
};
// `count0` is the first of several proofs with the word `count`
export function proofOf(word) {
  const [check, section] = PROOFS[word.replace(/[0-9]+$/, "")] ?? ["P08", STATEMENTS];
  return { check, section };
}

const CHECKS = {
  W: "Entries, byte by byte", L: "Entries and receipts", L10: "Forks", L11: "Forks", L12: "Transcript files", A: "The agreement, entry 0", A04: "The draw",
  A05: "A seat taken over", E: "Leaving for good", E01: "Evidence files", S: "Phases", S03: "Entries and receipts", S04: "Entries and receipts", G: "Rules",
  D: "Shuffle, cut, unlocking", D08: "Re-ordering a hand", D09: "Re-ordering a hand", D10: "Re-ordering a hand", D12: "Playing out", D13: "Sealed boxes",
  D14: "Playing out", D15: "Playing out", D17: "Playing out", P: "Every proof, exactly", C: "What is proved when", N: "Handshake",
};
export const sectionOfCheck = (check) => CHECKS[check] ?? CHECKS[check[0]] ?? "Checks";
