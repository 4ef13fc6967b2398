// Words of parting (SPEC.md part 3, Leaving for good): their form (W07), their signatures, the readies in a part (E05),
// places that are settled (E04, E06), words after a parting (E07), and a certificate (E02).

import { decode, hasFields, isBytes, isInt } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { need, Refusal } from "../refusal.mjs";
import { isAuthor, partSigned, wordSigned } from "./messages.mjs";

const LATE = 8;

export function readWord(bytes) {
  let w;
  try { w = decode(bytes, 64); } catch (error) { throw new Refusal("W07", error.message); }
  need(hasFields(w, "absent", "author", "head", "readies", "round", "seq", "sig", "t", "table"), "W07", "a word of parting with other fields");
  need(isAuthor(w.absent) && isAuthor(w.author) && isBytes(w.head, 32) && Array.isArray(w.readies) && w.readies.length <= 7 &&
    w.readies.every((r) => isBytes(r, 64)) && isInt(w.round, 0, 15) && isInt(w.seq, 0, 2 ** 32 - 1) && isBytes(w.sig, 64) &&
    ["ready", "stay", "part"].includes(w.t) && isBytes(w.table, 32), "W07", "a field of a word of parting is malformed");
  need((w.t === "part") === (w.readies.length > 0), "W07", "readies in a word that is no part, or a part without them");
  return w;
}

// Its author has signed the word
export const isSigned = (players, w) => w.author < players.length &&
  (w.t === "part" ? partSigned(players[w.author].key, w, w.sig) : wordSigned(players[w.author].key, w.t, w, w.sig));

// Two words are about the same end
export const sameEnd = (a, b) => a.absent === b.absent && a.seq === b.seq && equal(a.head, b.head);

const others = (players, absent) => players.map((_, p) => p).filter((p) => p !== absent);

// A part carries the ready of its round of every player but the absent one
export function checkReadies(players, w) {
  const due = others(players, w.absent);
  need(w.readies.length === due.length, "E05", "a part with another number of readies");
  due.forEach((p, i) => need(wordSigned(players[p].key, "ready", w, w.readies[i]), "E05", `a ready that player ${p} never signed`));
}

// Everything about a word but its place
function checkSaid(table, w) {
  need(equal(w.table, table.T), "L01", "a word of another table");
  need(w.author < table.n && w.absent < table.n, "L02", "its players do not sit at this table");
  need(isSigned(table.players, w) && (w.t === "stay" || w.author !== w.absent), "L03", "a word that is not signed by its author");
  need(table.options.away !== "wait", "E03", "the rules are to wait");
  if (w.t === "part") checkReadies(table.players, w);
}

// What its author has signed for that place or a later one under the table identifier
const hasSigned = (table, { author, seq }) =>
  table.held.slice(seq, table.namedFrom ?? undefined).some((held) => held.author === author || held.claims.has(author));

// One word at a table whose log is known (`table`: table/table.mjs). A transcript keeps the signatures of a certificate's parts alone;
// `certificate` is the whole of it, where the reader has it.
export function checkWord(table, w, certificate = []) {
  checkSaid(table, w);
  need(w.t !== "part" || !hasSigned(table, w), "E06", "a part for a place that its author has signed, or one before it");
  if (table.parting !== null) { // the words after a parting are compared, and have no effect
    const { absent } = table.parting;
    need(w.t !== "part" || w.author === absent || sameEnd(w, table.parting), "E07", "a second part, which excludes the first");
    const wasReady = w.author !== absent && certificate.some((part) => sameEnd(w, part) && w.round === part.round);
    need(w.t !== "stay" || !wasReady, "E07", "a stay in a round in which its author was ready");
    return;
  }
  if (w.t !== "part" && w.seq >= table.seq - LATE) return; // for one of the last settled places it may be late, and is dropped
  need(w.seq >= table.seq, "E04", "a word for a place that is settled");
}

// The words of a certificate: the parts of every player but the absent one, all about the same end
export function checkCertificate(table, words) {
  const [first] = words;
  need(words.length > 0 && words.every((w) => w.t === "part" && sameEnd(w, first)), "E02", "not parts alone, or parts about different ends");
  for (const w of words) checkSaid(table, w);
  const due = others(table.players, first.absent);
  need(words.length === due.length && words.every((w, i) => w.author === due[i]), "E02", "a part is missing, or the parts are in another order");
}
