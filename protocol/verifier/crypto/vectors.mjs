// Judges one vector of protocol/vectors/crypto and of proofs.json: reads the statement's JSON form.

import { fromHex } from "../bytes.mjs";
import { element } from "./group.mjs";
import { verifyDleq } from "./dleq.mjs";
import { verifyShuffle } from "./shuffle.mjs";
import { verifyStatement } from "./statement.mjs";

const E = (hex) => (hex === null ? null : element(fromHex(hex)));

function statement(json) {
  if (json.relations) return { relations: json.relations.map((r) => ({ image: E(r.image), terms: r.terms.map(([n, e]) => [n, E(e)]) })) };
  if (json.all) return { all: json.all.map(statement) };
  if (json.any) return { any: json.any.map(statement) };
  if (json.branches) return { any: json.branches.map((hidden) => statement({ hidden, elements: json.elements })) };
  const none = json.none ?? json;
  return { none: { hidden: none.hidden.map((h) => ({ key: E(h.key), times: E(h.times), plus: E(h.plus) })), elements: none.elements.map(E) } };
}

export function judgeVector(kind, v) {
  const context = fromHex(v.context), proof = fromHex(v.proof);
  const s = v.statement ?? v;
  if (kind === "dleq" || s.dleq) {
    const d = s.dleq ?? s;
    return verifyDleq(context, E(d.A), E(d.B), d.C.map(E), d.D.map(E), proof);
  }
  if (kind === "shuffle" || s.shuffle) {
    const d = s.shuffle ?? s;
    return verifyShuffle(context, E(d.base), E(d.image), d.X.map(E), d.Y.map(E), proof);
  }
  return verifyStatement(context, statement(s), proof);
}
