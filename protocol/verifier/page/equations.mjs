// The equations of a proof in one line each, for people: first what it states, then what the verifier computed. Elements stand by
// the first eight digits of their encodings, which the fields of the entries show in full, cards as M(JS). Notation as in SPEC.md, part 5.

import { toHex } from "../bytes.mjs";
import { G } from "../crypto/group.mjs";

const MOST = 128; // lines; the longest statement of a game, "stuck" with ten cards and an indicator, has 93

// `names`: the cards of the hand by their elements in hexadecimal, or nothing
export function equations(proof, names = new Map()) {
  const short = (e) => {
    if (e === null || e.isIdentity) return "0";
    if (e === G || e.equals(G)) return "G";
    const hex = toHex(e.bytes), card = names.get(hex);
    return card ? `M(${card})` : hex.slice(0, 8);
  };
  const lines = WRITERS[proof.form](proof, short);
  return [...(lines.length > MOST ? [...lines.slice(0, MOST), "…"] : lines), "", ...COMPUTED[proof.form](proof)];
}

const ANSWERED = "c = H(…, Σ response·element − c·image of every row)";
const COMPUTED = {
  dleq: () => ["M = Σ d_i·C_i,  Z = Σ d_i·D_i", "c = H(…, s·A + c·B, s·M + c·Z)"],
  knows: () => [ANSWERED],
  shuffle: () => ["e·(y·A + B − z·Σ H_i) + D = com(â; r̂)", "e·F + E = com(e·p̂_(i+1) − p̂_i·â_(i+1); ŝ)", "e·B + W = com(b̂; r̂_B)", "T + x̂·Σ t_i·X_i = Σ b̂_i·Y_i", "e·image + T_P = x̂·base"],
  statement: ({ statement }) => [...(hides(statement) ? ["P_k = ρ·X_k,  Q_i = ρ·M_i,  no P_k is a Q_i"] : []), ANSWERED],
};

const hides = (statement) => Boolean(statement.none) || (statement.all ?? statement.any ?? []).some(hides);

const WRITERS = {
  dleq: ({ A, B, C, D }, short) => [`B = k·A:  ${short(B)} = k·${short(A)}`, ...C.map((c, i) => (D[i] ? `D${i + 1} = k·C${i + 1}:  ${short(D[i])} = k·${short(c)}` : "…"))],
  knows: ({ key }, short) => [`${short(key)} = x·G`],
  shuffle: ({ base, image, X, Y }, short) => [`image = x·base:  ${short(image)} = x·${short(base)}`, "Y_i = x·X_π(i)", `X = ${X.map(short).join(" ")}`, `Y = ${Y.map(short).join(" ")}`],
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
