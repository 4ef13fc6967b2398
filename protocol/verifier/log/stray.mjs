// Messages outside a transcript, as frames (SPEC.md part 4): the check that refuses one at a table whose log is known, null
// if none does, undefined for kinds that are judged elsewhere: gathering/judge.mjs, handshake/judge.mjs.

import { decode, hasFields, isInt } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { isName, isRemark } from "../names.mjs";
import { need, Refusal } from "../refusal.mjs";
import { checkReceiptAtTable, entrySigned, isAuthor, readEntry, readReceipt } from "./messages.mjs";
import { checkWord, readWord } from "./parting.mjs";
import { judgeEvidenceMessage } from "./evidence.mjs";

const canonical = (bytes, check) => { try { return decode(bytes, 64); } catch (e) { throw new Refusal(check, e.message); } };
const isPlace = (v) => isInt(v, 0, 2 ** 32 - 1);

export function takeEntryFrame(table, bytes) {
  const entry = readEntry(bytes);
  need(equal(entry.table, table.nameAt(entry.seq)), "L01", "an entry of another table");
  need(entry.author < table.n, "L02", "its author does not sit at this table");
  need(entrySigned(table.players[entry.author].key, entry), "L03", "its author has not signed it");
  table.takeEntry(entry);
}

function takeSync(bytes) {
  const m = canonical(bytes, "W05");
  need(hasFields(m, "have", "receipts") && isPlace(m.have) && Array.isArray(m.receipts) && m.receipts.length <= 8 && m.receipts.every(isAuthor), "W05", "a malformed sync message");
}

function takeWatch(bytes) {
  const m = canonical(bytes, "W08");
  need(hasFields(m, "have") && isPlace(m.have), "W08", "a malformed question of a spectator");
}

function takeTalk(bytes) {
  let text;
  try { text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes); } catch { throw new Refusal("W09", "no UTF-8"); }
  need(isRemark(text), "W09", "a remark that cannot be shown");
}

function takeNote(bytes) {
  const m = canonical(bytes, "W33");
  const names = (v) => Array.isArray(v) && v.length <= 16 && v.every(isName);
  need(hasFields(m, "code", "watched") && typeof m.code === "boolean" && names(m.watched), "W33", "a malformed note");
}

export function judgeMessage(table, vector, frame) {
  const payload = frame.slice(1);
  try {
    switch (frame[0]) {
      case 5: takeEntryFrame(table, payload); return null;
      case 6: checkReceiptAtTable(table, readReceipt(payload)); return null;
      case 7: takeSync(payload); return null;
      case 8: return judgeEvidenceMessage(payload, () => table);
      case 10: takeTalk(payload); return null;
      case 11: checkWord(table, readWord(payload)); return null;
      case 12: takeWatch(payload); return null;
      case 14: takeNote(payload); return null;
      default: return undefined;
    }
  } catch (error) {
    if (error instanceof Refusal) return error.check;
    throw error;
  }
}
