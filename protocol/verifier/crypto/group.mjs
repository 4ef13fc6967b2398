// The group ristretto255 (SPEC.md part 5, Group and encodings): elements with their one encoding, scalars, hashes to both,
// sums of multiples.

import { sha512 } from "@noble/hashes/sha2";
import { bigEndian, concat, equal, fromHex, numberLE, toHex, utf8 } from "../bytes.mjs";
import { fixed, sum, sumOfMultiples } from "./multiples.mjs";
import { decodePoint, derivedPoint, encodePoint, samePoint } from "./ristretto.mjs";

export const q = 2n ** 252n + 27742317777372353535851937790883648493n;

export class Element {
  constructor(point, bytes = null) { this.point = point; this.known = bytes; this.tables = undefined; }
  get bytes() { return (this.known ??= encodePoint(this.point)); }
  get isIdentity() { return this.known ? this.known.every((b) => b === 0) : samePoint(this.point, ZERO.point); }
  equals(other) { return this.known && other.known ? equal(this.known, other.known) : samePoint(this.point, other.point); }
  add(other) { return new Element(sum(this.point, other.point)); }
  subtract(other) { return new Element(sum(this.point, other.point, true)); }
  negate() { return ZERO.subtract(this); }
  times(scalar) { return combine([scalar], [this]); }
  // For an element of many sums
  fix() { this.tables ??= fixed(this.point); return this; }
}

const cache = new Map();

// The element that 32 bytes encode, or null
export function element(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 32) return null;
  const name = toHex(bytes);
  let found = cache.get(name);
  if (found === undefined) {
    const point = decodePoint(bytes);
    found = point === null ? null : new Element(point, bytes);
    if (cache.size > 50000) cache.clear();
    cache.set(name, found);
  }
  return found;
}

const GENERATOR = "e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2d76";

export const ZERO = element(new Uint8Array(32));
export const G = element(fromHex(GENERATOR)).fix();

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

// expand_message_xmd with SHA-512 (RFC 9380, 5.3.1)
export function uniform(message, tag, length = 64) {
  const name = asTag(tag), suffix = concat(name, Uint8Array.of(name.length)), blocks = [];
  const b0 = sha512(concat(new Uint8Array(128), message, bigEndian(length, 2), Uint8Array.of(0), suffix));
  for (let i = 1, last = new Uint8Array(64); 64 * blocks.length < length; i++) {
    last = sha512(concat(last.map((b, k) => b ^ b0[k]), Uint8Array.of(i), suffix));
    blocks.push(last);
  }
  return concat(...blocks).subarray(0, length);
}
export const hashToElement = (message, tag) => new Element(derivedPoint(uniform(message, tag)));
export const hashToScalar = (message, tag) => wide(uniform(message, tag));

// Σ scalar·element
export function combine(scalars, elements) {
  const terms = [];
  scalars.forEach((scalar, i) => { if (scalar !== 0n && elements[i] !== ZERO) terms.push({ scalar, point: elements[i].point, tables: elements[i].tables }); });
  return terms.length === 0 ? ZERO : new Element(sumOfMultiples(terms));
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
