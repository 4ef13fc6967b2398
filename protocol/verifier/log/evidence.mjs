// Evidence files (SPEC.md part 3): what proves a fault by itself. `judgeEvidence(file)` gives
// {verdict: "proven" | "nothing" | "unreadable", check, sentence, who}.

import { decode, hasFields, isBytes, isInt, isMap } from "../canonical.mjs";
import { compare, concat, equal, numberBE, utf8 } from "../bytes.mjs";
import { digest } from "../hashes.mjs";
import { need, Refusal, Unreadable } from "../refusal.mjs";
import { G, element, hashToScalar, nonZeroElement, scalar, mod } from "../crypto/group.mjs";
import { verifyDleq } from "../crypto/dleq.mjs";
import { Table } from "../table/table.mjs";
import { openClaims } from "../table/floor.mjs";
import { readElement, readShares } from "../table/keys.mjs";
import { checkBody } from "./bodies.mjs";
import { readBlocks } from "./container.mjs";
import { checkReceiptAtTable, entrySigned, readEntry, readReceipt, receiptSigned } from "./messages.mjs";
import { isSigned, readWord, sameEnd } from "./parting.mjs";

const MAGIC = Uint8Array.of(0x70, 0x32, 0x70, 0x33, 0x30, 0x34, 0x65, 1);
const SHARED = ["shuffle", "relock", "closed"];
const KINDS = ["false", "claim", "fork", "split", "part", "box"];
// refusals that do not convict
const NOT_PROVEN = /^(W01|W02|W03|L|A05|A06|S04|D16|D17|E0[1-5]|N)/;

class Proof extends Error { constructor(check, sentence, who) { super(sentence); Object.assign(this, { check, sentence, who }); } }
const proven = (check, sentence, who) => { throw new Proof(check, sentence, who); };
const nothing = (sentence) => { throw new Refusal("E01", sentence); };

export function judgeEvidence(file, observer = null) {
  const say = (verdict, check, sentence, who = null) => ({ verdict, place: null, check, sentence, who });
  try {
    if (file.length < 12 || !equal(file.subarray(0, 8), MAGIC)) return say("nothing", "W03", "this is no evidence file");
    const size = Number(numberBE(file.subarray(8, 12)));
    if (12 + size > file.length) return say("nothing", "W03", "the file is cut off in its head");
    const map = readEvidence(file.slice(12, 12 + size));
    judge(map, () => replay(file.slice(12 + size), map.kind, observer));
  } catch (error) {
    if (error instanceof Proof) return say("proven", error.check, error.sentence, error.who);
    if (error instanceof Refusal) return say("nothing", error.check, error.sentence);
    if (error instanceof Unreadable) return say("unreadable", null, error.message);
    return say("not implemented", null, error.stack);
  }
  return say("nothing", "E01", "it proves nothing");
}

// An evidence message at a table: the check that it proves, or with which it is refused (W03, E01). `known` gives that table.
export function judgeEvidenceMessage(bytes, known) {
  try {
    const map = readEvidence(bytes);
    if (map.kind === "fork" || map.kind === "split") need(compare(map.first, map.second) < 0, "W03", "the two messages are the same, or in another order");
    judge(map, () => Object.assign(known(), { names: [known().T, known().name] }));
  } catch (error) {
    if (error instanceof Proof || error instanceof Refusal) return error.check;
    throw error;
  }
  return "E01";
}

function readEvidence(bytes) {
  let map;
  try { map = decode(bytes, 64); } catch (error) { throw new Refusal("W03", error.message); }
  need(hasFields(map, "first", "kind", "second") && isBytes(map.first) && isBytes(map.second) && KINDS.includes(map.kind), "W03", "evidence with other fields");
  return map;
}

function replay(transcript, kind, observer) {
  const table = new Table(observer), names = [];
  for (const block of readBlocks(transcript)) {
    table.accept(block);
    if (!names.some((n) => equal(n, table.name))) names.push(table.name);
    if (block.entry.kind === "draw") table.signedDraw = [block.entry, ...(block.receipts ?? [])].map(({ author }) => author);
  }
  // a claim may answer the agreement itself
  if (table.T === null && kind !== "claim") nothing("the transcript has no agreement");
  table.names = names;
  return table;
}

const isOf = (table, name) => table.names.some((n) => equal(n, name));

function judge({ kind, first, second }, replayed) {
  ({ false: falseEntry, claim, fork, split, part, box })[kind](first, second, replayed);
}

function falseEntry(first, second, replayed) {
  need(second.length === 0, "W03", "a second message where none is due");
  const table = replayed(), entry = readEntry(first);
  try { table.takeEntry(entry); } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (/^L0[1-5]/.test(error.check)) throw error;
    if (!NOT_PROVEN.test(error.check)) proven(error.check, error.sentence, entry.author);
    nothing(`it is refused with ${error.check}, which proves nothing`);
  }
  nothing("every check accepts this entry");
}

function claim(first, second, replayed) {
  const table = replayed(), entry = readEntry(second);
  table.takeEntry(entry);
  const r = readReceipt(first);
  checkReceiptAtTable(table, r);
  if (r.seq !== entry.seq) nothing("a receipt for an earlier place");
  if (r.claim === null) nothing("the receipt claims nothing");
  const open = openClaims(table);
  if (table.seatOf === null || !open[r.claim].includes(table.seatOf[r.author])) proven("S03", "a claim that is not open", r.author);
  nothing("the claim was open");
}

function fork(first, second, replayed) {
  const table = replayed(), [a, b] = [readEntry(first), readEntry(second)];
  for (const e of [a, b])
    if (e.author >= table.n || !isOf(table, e.table) || !entrySigned(table.players[e.author].key, e)) nothing("an entry that is not of this table, or not signed");
  if (a.author !== b.author || a.seq !== b.seq || !equal(a.table, b.table)) nothing("not two entries of one author for one place");
  if (equal(first, second)) nothing("one entry, twice");
  proven("L11", "two entries of one author for one place", a.author);
}

function split(first, second, replayed) {
  const table = replayed(), [a, b] = [readReceipt(first), readReceipt(second)];
  for (const r of [a, b])
    if (r.author >= table.n || !isOf(table, r.table) || !receiptSigned(table.players[r.author].key, r)) nothing("a receipt that is not of this table, or not signed");
  if (a.author !== b.author || a.seq !== b.seq || !equal(a.table, b.table)) nothing("not two receipts of one player for one place");
  if (equal(a.head, b.head) && a.claim === b.claim) nothing("two receipts that say the same");
  proven("L10", "two receipts of one player for one place", a.author);
}

// What a message is, by its fields
function readAny(bytes) {
  let value;
  try { value = decode(bytes); } catch (error) { throw new Refusal("W03", error.message); }
  const has = (name) => isMap(value) && Object.hasOwn(value, name);
  if (has("t")) return { kind: "word", message: readWord(bytes) };
  return has("claim") ? { kind: "receipt", message: readReceipt(bytes) } : { kind: "entry", message: readEntry(bytes) };
}

function part(first, second, replayed) {
  const table = replayed(), a = { kind: "word", message: readWord(first) }, b = readAny(second);
  if (!isOf(table, a.message.table) || a.message.author >= table.n) nothing("a word of another table");
  need(b.kind !== "word" || compare(first, second) < 0, "W03", "the two words are the same, or in another order");
  const signed = { word: (m) => isSigned(table.players, m), entry: (m) => entrySigned(table.players[m.author].key, m), receipt: (m) => receiptSigned(table.players[m.author].key, m) };
  for (const { kind, message: m } of [a, b])
    if (m.author >= table.n || !isOf(table, m.table) || !signed[kind](m)) nothing("a message that is not of this table, or not signed");
  const w = a.message, m = b.message;
  if (w.author !== m.author || !equal(w.table, m.table)) nothing("not of one player under one name of the table");
  if (b.kind !== "word") {
    if (w.t === "part" && m.seq >= w.seq) proven("E06", "a part, and a message for its place or a later one", w.author);
    nothing("they do not exclude each other");
  }
  const same = sameEnd(w, m);
  if (w.t === "part" && m.t === "part") return same ? nothing("two parts that say the same") : proven("E07", "two parts that exclude each other", w.author);
  if ([w.t, m.t].sort().join(" ") === "ready stay" && same && w.round === m.round) proven("E07", "ready and stay in one round", w.author);
  nothing("they do not exclude each other");
}

function box(first, second, replayed) {
  const table = replayed();
  if (table.boxKeys.length !== table.n || table.options.away !== "playout") nothing("the table has no sealed shares, or not yet");
  const entry = readEntry(first);
  let shown;
  try { shown = decode(second, 64); } catch (error) { throw new Refusal("W03", error.message); }
  need(hasFields(shown, "point", "proof", "seat") && nonZeroElement(shown.point) !== null && isBytes(shown.proof) && isInt(shown.seat, 0, Infinity), "W03", "a complaint with other fields");
  // It need not follow the log, and its proofs are not looked at; but its author has signed the draws whose keys are used here.
  if (entry.author >= table.n || !isOf(table, entry.table) || !entrySigned(table.players[entry.author].key, entry)) nothing("an entry that is not of this table, or not signed");
  if (!table.signedDraw.includes(entry.author)) nothing("its author has not signed the draws of this transcript");
  const author = table.seatOf?.[entry.author], n = table.n, { shares, ephemeral, key } = entry.body;
  try {
    checkBody(entry.kind, entry.body);
    if (author === undefined || !SHARED.includes(entry.kind) || shown.seat >= n || shown.seat === author) nothing("there is no such box");
    readShares(table, author, entry.body, readElement(key, "the key"));
  } catch (error) {
    if (error instanceof Refusal) nothing(`there is no such box: ${error.sentence}`);
    throw error;
  }
  const share = shares[(shown.seat - author + n) % n - 1];
  if (share === undefined) nothing("there is no such box");
  const E = table.boxKeys[table.playerOf[shown.seat]], R = element(ephemeral), Z = nonZeroElement(shown.point), S = element(share.subarray(0, 32));
  const context = concat(utf8("p2p304/1 box "), digest("p2p304 box", entry.bytes));
  if (Z === null || !verifyDleq(context, G, E, [R], [Z], shown.proof)) nothing("the box is not opened rightly");
  const mask = hashToScalar(concat(Z.bytes, E.bytes, R.bytes, key, S.bytes), "p2p304/1 sealed");
  const x = mod(scalar(share.subarray(32)) + mask);
  if (G.times(x).equals(S)) nothing("the box holds what was published");
  proven("D13", "a sealed share that is not the one published", entry.author);
}

