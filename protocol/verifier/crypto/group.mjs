// The group ristretto255 (SPEC.md part 5, Group and encodings): elements with their one encoding, scalars, hashes to both,
// sums of multiples.

import { ristretto255, ristretto255_hasher } from "@noble/curves/ed25519";
import { expand_message_xmd } from "@noble/curves/abstract/hash-to-curve";
import { sha512 } from "@noble/hashes/sha2";
import { bigEndian, concat, numberLE, toHex, utf8 } from "../bytes.mjs";
import { fixed, sumOfMultiples } from "./multiples.mjs";

const Point = ristretto255.Point;
export const q = 2n ** 252n + 27742317777372353535851937790883648493n;

export class Element {
  constructor(point, bytes = null) { this.point = point; this.known = bytes; this.tables = undefined; }
  get bytes() { return (this.known ??= this.point.toBytes()); }
  get isIdentity() { return this.point.is0(); }
  equals(other) { return this.point.equals(other.point); }
  add(other) { return new Element(this.point.add(other.point)); }
  subtract(other) { return new Element(this.point.subtract(other.point)); }
  negate() { return new Element(this.point.negate()); }
  times(scalar) { return combine([scalar], [this]); }
  // For an element of many sums
  fix() { this.tables ??= fixed(this.point.ep); return this; }
}

export const G = new Element(Point.BASE, Point.BASE.toBytes()).fix();
export const ZERO = new Element(Point.ZERO, Point.ZERO.toBytes());

const cache = new Map();

// The element that 32 bytes encode, or null
export function element(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 32) return null;
  const name = toHex(bytes);
  let found = cache.get(name);
  if (found === undefined) {
    try { found = new Element(Point.fromHex(bytes), bytes); } catch { found = null; }
    if (cache.size > 50000) cache.clear();
    cache.set(name, found);
  }
  return found;
}

// A key, card or commitment: an element that is not the identity, or null
export function nonZeroElement(bytes) {
  const e = element(bytes);
  return e === null || e.isIdentity ? null : e;
}

// A scalar from its 32 bytes, or null where it is not below q
export function scalar(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 32) return null;
  const n = numberLE(bytes);
  return n < q ? n : null;
}

export const mod = (n) => ((n % q) + q) % q;
export const wide = (bytes64) => numberLE(bytes64) % q;

const asTag = (tag) => (typeof tag === "string" ? utf8(tag) : tag);
export const uniform = (message, tag, length = 64) => expand_message_xmd(message, asTag(tag), length, sha512);
export const hashToElement = (message, tag) => new Element(ristretto255_hasher.hashToCurve(message, { DST: asTag(tag) }));
export const hashToScalar = (message, tag) => wide(uniform(message, tag));

// Σ scalar·element
export function combine(scalars, elements) {
  const terms = [];
  scalars.forEach((scalar, i) => { if (scalar !== 0n) terms.push({ scalar, point: elements[i].point.ep, tables: elements[i].tables }); });
  return terms.length === 0 ? ZERO : new Element(new Point(sumOfMultiples(terms)));
}

const generators = [];

// The commitment generators H_1 … H_n
export function commitmentGenerators(n) {
  while (generators.length < n) {
    const message = concat(Uint8Array.of(7), utf8("shuffle"), bigEndian(generators.length + 1, 2));
    generators.push(hashToElement(message, "p2p304-v1-generator").fix());
  }
  return generators.slice(0, n);
}
