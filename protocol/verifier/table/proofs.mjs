// Every proof at a table is verified here, bound to its entry (context.mjs). An observer of the table is told of each:
// {seq, word, form, holds} and the elements of the statement.

import { verifyDleq } from "../crypto/dleq.mjs";
import { verifyShuffle } from "../crypto/shuffle.mjs";
import { verifyKnows, verifyStatement } from "../crypto/statement.mjs";
import { context } from "./context.mjs";

function told(table, entry, word, statement, holds) {
  table.observer?.proof({ seq: entry.seq, word, ...statement, holds });
  return holds;
}

export const dleqHolds = (table, entry, word, A, B, C, D, proof) =>
  told(table, entry, word, { form: "dleq", A, B, C, D }, verifyDleq(context(table, entry, word), A, B, C, D, proof));

export const shuffleHolds = (table, entry, word, base, image, X, Y, proof) =>
  told(table, entry, word, { form: "shuffle", base, image, X, Y }, verifyShuffle(context(table, entry, word), base, image, X, Y, proof));

export const statementHolds = (table, entry, word, statement, proof) =>
  told(table, entry, word, { form: "statement", statement }, verifyStatement(context(table, entry, word), statement, proof));

export const keyIsKnown = (table, entry, word, key, proof) =>
  told(table, entry, word, { form: "knows", key }, verifyKnows(context(table, entry, word), key, proof));
