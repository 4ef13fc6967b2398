// Statements about hidden cards (SPEC.md part 5, Statements and Logarithms that differ). A statement is one of
//   {relations: [{image, terms: [[name, element], …]}, …]}, {all: […]}, {any: […]},
//   {none: {hidden: [{key, times, plus | null}, …], elements: […]}}.

import { Transcript } from "./transcript.mjs";
import { G, ZERO, combine, element, mod, scalar } from "./group.mjs";
import { bigEndian, concat } from "../bytes.mjs";

const two = (n) => bigEndian(n, 2);

function stands(statement, depth = 1) {
  if (depth > 8) return false;
  const nonzero = (e) => e !== null && !e.isIdentity;
  if (statement.relations) {
    return statement.relations.length > 0 && statement.relations.every(({ image, terms }) =>
      image !== null && terms.length > 0 && terms.every(([, e]) => nonzero(e)));
  }
  if (statement.none) {
    const { hidden, elements } = statement.none;
    const once = (list) => new Set(list).size === list.length;
    return hidden.length > 0 && elements.length > 0 && elements.every(nonzero) &&
      hidden.every((h) => nonzero(h.key) && nonzero(h.times) && (h.plus === null || nonzero(h.plus))) &&
      once(elements.map((e) => e.bytes.join())) &&
      once(hidden.map((h) => [h.key, h.times, h.plus ?? ZERO].map((e) => e.bytes.join()).join("|")));
  }
  const parts = statement.all ?? statement.any;
  return parts.length > 0 && parts.every((p) => stands(p, depth + 1));
}

export function encodeStatement(statement) {
  if (statement.relations) {
    const names = [];
    const rows = statement.relations.map(({ image, terms }) => concat(image.bytes, two(terms.length), ...terms.map(([name, e]) => {
      if (!names.includes(name)) names.push(name);
      return concat(two(names.indexOf(name)), e.bytes);
    })));
    return concat(Uint8Array.of(1), two(rows.length), ...rows);
  }
  if (statement.none) {
    const { hidden, elements } = statement.none;
    return concat(Uint8Array.of(4), two(hidden.length),
      ...hidden.map((h) => concat(h.key.bytes, h.times.bytes, (h.plus ?? ZERO).bytes)),
      two(elements.length), ...elements.map((e) => e.bytes));
  }
  const parts = statement.all ?? statement.any;
  return concat(Uint8Array.of(statement.all ? 2 : 3), two(parts.length), ...parts.map(encodeStatement));
}

// Every branch a NoneAmong with the same public elements: one ρ serves them all
function sharesElements(statement) {
  if (!statement.any || statement.any.length < 2 || !statement.any.every((b) => b.none)) return false;
  const of = (b) => b.none.elements.map((e) => e.bytes.join()).join("|");
  return statement.any.every((b) => of(b) === of(statement.any[0]));
}

const firstKeys = (hidden) => hidden.map((h) => h.key).filter((k, i, all) => all.findIndex((o) => o.equals(k)) === i);

function hiddenRows(hidden, P) {
  const keys = firstKeys(hidden);
  return [
    ...keys.map((U, i) => ({ image: ZERO, terms: [[`v${i}`, G], ["rho", U.negate()]] })),
    ...hidden.map((h, k) => ({
      image: P[k],
      terms: [[`v${keys.findIndex((U) => U.equals(h.key))}`, h.times], ...(h.plus ? [["rho", h.plus]] : [])],
    })),
  ];
}

// Puts what a proof publishes into the statement: Relations, All and AnyOf alone are left. `publish(n)` reads n elements.
function expand(statement, publish) {
  if (statement.relations) return statement;
  if (statement.none) {
    const { hidden, elements } = statement.none;
    const P = publish(hidden.length), Q = publish(elements.length);
    return check(P, Q) && { relations: [...hiddenRows(hidden, P), ...qRows(Q, elements)] };
  }
  if (sharesElements(statement)) {
    const elements = statement.any[0].none.elements;
    const Ps = statement.any.map((b) => publish(b.none.hidden.length)), Q = publish(elements.length);
    const branches = statement.any.map((b, i) => ({
      relations: [...hiddenRows(b.none.hidden, Ps[i]), ...qRows(Q.slice(0, 1), elements)],
    }));
    return check(Ps.flat(), Q) && { all: [{ relations: qRows(Q, elements) }, { any: branches }] };
  }
  const parts = (statement.all ?? statement.any).map((p) => expand(p, publish));
  return parts.every(Boolean) && (statement.all ? { all: parts } : { any: parts });
}

const qRows = (Q, elements) => Q.map((image, i) => ({ image, terms: [["rho", elements[i]]] }));
const check = (P, Q) => P.every((p) => Q.every((o) => !p.equals(o)));

// The commitments that fit challenge and responses, depth first
function commitments(statement, c, next, out) {
  if (statement.relations) {
    const answers = new Map();
    for (const { terms } of statement.relations)
      for (const [name] of terms) if (!answers.has(name)) answers.set(name, next());
    for (const { image, terms } of statement.relations)
      out.push(combine([...terms.map(([name]) => answers.get(name)), mod(-c)], [...terms.map(([, e]) => e), image]));
  } else if (statement.all) {
    for (const part of statement.all) commitments(part, c, next, out);
  } else {
    const drawn = statement.any.slice(1).map(() => next());
    const last = mod(drawn.reduce((rest, d) => rest - d, c));
    statement.any.forEach((branch, i) => commitments(branch, i < drawn.length ? drawn[i] : last, next, out));
  }
}

class Bent extends Error {}

export function verifyStatement(context, statement, proof) {
  if (context.length > 128 || !stands(statement) || proof.length % 32 !== 0) return false;
  let at = 0;
  const piece = () => { if (at + 32 > proof.length) throw new Bent(); at += 32; return proof.subarray(at - 32, at); };
  const nextScalar = () => { const s = scalar(piece()); if (s === null) throw new Bent(); return s; };
  try {
    const published = [];
    const expanded = expand(statement, (n) => Array.from({ length: n }, () => {
      const e = element(piece());
      if (e === null || e.isIdentity) throw new Bent();
      published.push(e);
      return e;
    }));
    if (!expanded) return false;
    const c = nextScalar(), list = [];
    commitments(expanded, c, nextScalar, list);
    if (at !== proof.length) return false;
    const t = new Transcript("statement", context);
    t.data("statement", encodeStatement(statement));
    if (published.length) t.elements("published", published);
    t.elements("commitments", list);
    return t.challenge("c") === c;
  } catch (error) {
    if (error instanceof Bent) return false;
    throw error;
  }
}

// "I know the secret of this key": key = x·G
export const verifyKnows = (context, key, proof) =>
  verifyStatement(context, { relations: [{ image: key, terms: [["x", G]] }] }, proof);
