// Audits one transcript: reads block by block, verifies each before the next, and says how it ends. An observer, if there
// is one, is told of each proof (table/proofs.mjs), entry, block with its receipts, and settled hand:
// {proof(proof), entry(table, block), block(table, block), hand(table, hand)}.
// With a `table` the file goes on after the blocks that this table has accepted.

import { Refusal, Unreadable } from "./refusal.mjs";
import { readBlocks } from "./log/container.mjs";
import { Table } from "./table/table.mjs";

// the hands that have begun: the first with the last draw, each other one with the end of the one before
export const handsBegun = (table) => table.hands.length + (table.hand !== null ? 1 : 0);

// refusals that name nobody: their player's signature does not prove the fault
const convicts = (check) => !/^(W0[123]|L0|L12|A0[1235678]|S04|D16|D17|E)/.test(check);

export function audit(file, observer = null, table = new Table(observer)) {
  const say = (verdict, more = {}) => ({ verdict, place: null, check: null, sentence: null, who: null, rule: null, ...more, table });
  try {
    for (const block of readBlocks(file)) table.accept(block);
  } catch (error) {
    if (error instanceof Unreadable) return say("unreadable", { place: table.seq, sentence: error.message });
    if (error instanceof Refusal)
      return say("not sound", { place: error.place ?? table.seq, check: error.check, rule: error.check === "G01" ? error.rule : null, sentence: error.sentence + (error.rule ? ` (${error.rule})` : ""), who: convicts(error.check) && table.seq > 0 ? error.who ?? null : null });
    return say("not implemented", { place: table.seq, sentence: error.name === "Error" ? error.message : error.stack });
  }
  for (const hand of table.hands) {
    const { breach } = hand, again = table.hands.filter((one) => one.isVoid && one.number < hand.number).length;
    if (breach) return say("not sound", { check: "C01", sentence: `hand ${hand.number - again}: ${breach.sentence} (${breach.rule})`, who: table.playerOf[breach.seat] });
  }
  return say("sound");
}
