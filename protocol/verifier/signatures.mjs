// Ed25519 as SPEC.md part 5, Signatures: keys of prime order in their one encoding, S below q, the equation without the
// cofactor, R compared byte for byte.

import { ed25519 } from "@noble/curves/ed25519";
import { sha512 } from "@noble/hashes/sha2";
import { concat, equal, littleEndian, numberLE, utf8 } from "./bytes.mjs";
import { LIMBS, invert, mul, value } from "./crypto/field.mjs";
import { X, Y, Z, fixed, pointOf, sumOfMultiples } from "./crypto/multiples.mjs";

const Point = ed25519.Point;
const q = Point.Fn ? Point.Fn.ORDER : ed25519.CURVE.n;
const tablesOf = ({ x, y }) => fixed(pointOf(x, y));
const base = tablesOf(Point.BASE.toAffine());
const known = new Map();

// The tables of the negative of a public key, or null where the 32 bytes are no key
function keyTables(bytes) {
  if (!(bytes instanceof Uint8Array) || bytes.length !== 32) return null;
  const name = bytes.join();
  if (known.has(name)) return known.get(name);
  let tables = null;
  try {
    const point = Point.fromHex(bytes, false);
    if (!point.is0() && point.isTorsionFree() && equal(point.toBytes(), bytes)) tables = tablesOf(point.negate().toAffine());
  } catch { tables = null; }
  known.set(name, tables);
  return tables;
}

// Whether these bytes are a public key: a point of the prime-order group in its one encoding, not the identity
export const isKey = (bytes) => keyTables(bytes) !== null;

// RFC 8032, 5.1.2: y, and the lowest bit of x on top
function encoded(P) {
  const inverse = new Float64Array(LIMBS), x = new Float64Array(LIMBS), y = new Float64Array(LIMBS);
  invert(inverse, P.subarray(Z, Z + LIMBS));
  mul(x, 0, P, X, inverse, 0);
  mul(y, 0, P, Y, inverse, 0);
  return littleEndian(value(y, 0) | ((value(x, 0) & 1n) << 255n), 32);
}

export function verifyBytes(key, message, signature) {
  const minusA = keyTables(key);
  if (minusA === null || !(signature instanceof Uint8Array) || signature.length !== 64) return false;
  const R = signature.subarray(0, 32), s = numberLE(signature.subarray(32));
  if (s >= q) return false;
  const k = numberLE(sha512(concat(R, key, message))) % q;
  return equal(encoded(sumOfMultiples([{ scalar: s, tables: base }, { scalar: k, tables: minusA }])), R);
}

// A signature over label || 00 || bytes
export const verify = (key, label, bytes, signature) =>
  verifyBytes(key, concat(utf8(label), Uint8Array.of(0), bytes), signature);
