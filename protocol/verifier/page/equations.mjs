// The equations of a proof in one line each, for people: elements by the first eight digits of their encodings, which the fields of
// the entries show in full, cards as M(JS). Notation as in SPEC.md, part 5.

import { toHex } from "../bytes.mjs";
import { G } from "../crypto/group.mjs";

const MOST = 48; // lines

// `names`: the cards of the hand by their elements in hexadecimal, or nothing
export function equations(proof, names = new Map()) {
  const short = (e) => {
    if (e === null || e.isIdentity) return "0";
    if (e === G || e.equals(G)) return "G";
    const hex = toHex(e.bytes), card = names.get(hex);
    return card ? `M(${card})` : hex.slice(0, 8);
  };
  const lines = WRITERS[proof.form](proof, short);
  return lines.length > MOST ? [...lines.slice(0, MOST), "…"] : lines;
}

const WRITERS = {
  dleq: ({ A, B, C, D }, short) => [`${short(B)} = k·${short(A)}`, ...C.map((c, i) => (D[i] ? `${short(D[i])} = k·${short(c)}` : "…"))],
  knows: ({ key }, short) => [`${short(key)} = x·G`],
  shuffle: ({ base, image, X, Y }, short) => [`${short(image)} = x·${short(base)}`, "Y_i = x·X_π(i)", `X = ${X.map(short).join(" ")}`, `Y = ${Y.map(short).join(" ")}`],
  statement: ({ statement }, short) => written(statement, short, ""),
};

function written(statement, short, pad) {
  if (statement.relations) return statement.relations.map(({ image, terms }) => `${pad}${short(image)} = ${terms.map(([n, e]) => `${n}·${short(e)}`).join(" + ")}`);
  if (statement.none) {
    const { hidden, elements } = statement.none;
    return [
      ...hidden.map((h, i) => `${pad}X${i + 1} = u·${short(h.times)}${h.plus ? ` + ${short(h.plus)}` : ""},  ${short(h.key)} = u·G`),
      `${pad}X ∉ {${elements.map(short).join(", ")}}`,
    ];
  }
  const parts = statement.all ?? statement.any;
  return [`${pad}${statement.all ? "All" : "AnyOf"}`, ...parts.flatMap((p) => written(p, short, `${pad}  `))];
}
