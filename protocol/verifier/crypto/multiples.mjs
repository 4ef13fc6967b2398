// Points of the curve that ristretto255 and Ed25519 share (-x² + y² = 1 + d·x²·y², p = 2^255 - 19), and sums of their multiples.
// Nothing here is secret, so speed alone counts: signed digits of several bits (wNAF), and one chain of doublings for all
// points. Points that come back in many sums (generators, keys) are kept as `fixed`: tables of several of their multiples,
// so that their scalars are cut in short pieces and the chain is short too.
//
// A point is the four coordinates X, Y, Z, T of RFC 8032, 5.1.4, one after the other in a Float64Array, all reduced (field.mjs).

import { LIMBS, add as plus, carry, mul, number, p, square, subtract as minus } from "./field.mjs";

export const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n;
const twoD = number((2n * D) % p);
const WIDTH = 5, FIXED_WIDTH = 7;
const PIECE = 32;                       // bits of a scalar for each table of a fixed point

export const X = 0, Y = LIMBS, Z = 2 * LIMBS, T = 3 * LIMBS, SIZE = 4 * LIMBS;

// A point from affine coordinates
export function pointOf(x, y) {
  const P = new Float64Array(SIZE);
  [x, y, 1n, (x * y) % p].forEach((n, k) => P.set(number(n), k * LIMBS));
  return P;
}

const [A, B, C, E, F, G, H] = Array.from({ length: 7 }, () => new Float64Array(LIMBS));

// P = 2·P. T is left out where the next step needs none. Of reduced numbers E is three, F four before it is reduced, G and H are two.
function double(P, wantsT) {
  plus(E, 0, P, X, P, Y);
  square(E, 0, E, 0);
  square(A, 0, P, X);
  square(B, 0, P, Y);
  square(C, 0, P, Z);
  plus(H, 0, A, 0, B, 0);
  minus(E, 0, H, 0, E, 0);
  minus(G, 0, A, 0, B, 0);
  plus(F, 0, C, 0, C, 0);
  plus(F, 0, F, 0, G, 0);
  carry(F, 0, F, 0);
  mul(P, X, E, 0, F, 0);
  mul(P, Y, G, 0, H, 0);
  mul(P, Z, F, 0, G, 0);
  if (wantsT) mul(P, T, E, 0, H, 0);
}

// An addend is kept in the form in which the sum needs it: Y - X, Y + X, 2d·T, 2·Z; the places are those of a point
function putAddend(table, at, P) {
  minus(table, at + X, P, Y, P, X);
  plus(table, at + Y, P, Y, P, X);
  mul(table, at + T, P, T, twoD, 0);
  plus(table, at + Z, P, Z, P, Z);
}

// P = P + addend, or P - addend. Every factor is a sum of two reduced numbers.
function addTo(P, table, at, negative) {
  minus(E, 0, P, Y, P, X);
  plus(F, 0, P, Y, P, X);
  mul(A, 0, E, 0, table, negative ? at + Y : at + X);
  mul(B, 0, F, 0, table, negative ? at + X : at + Y);
  mul(C, 0, P, T, table, at + T);
  mul(G, 0, P, Z, table, at + Z);
  minus(E, 0, B, 0, A, 0);
  plus(H, 0, B, 0, A, 0);
  if (negative) { plus(F, 0, G, 0, C, 0); minus(G, 0, G, 0, C, 0); } else { minus(F, 0, G, 0, C, 0); plus(G, 0, G, 0, C, 0); }
  mul(P, X, E, 0, F, 0);
  mul(P, Y, G, 0, H, 0);
  mul(P, Z, F, 0, G, 0);
  mul(P, T, E, 0, H, 0);
}

const IDENTITY = pointOf(0n, 1n);
const addend = new Float64Array(SIZE);

export function sum(P, Q, negative = false) {
  const R = P.slice();
  putAddend(addend, 0, Q);
  addTo(R, addend, 0, negative);
  return R;
}

// 1, 3, 5 … times a point, for digits of so many bits
function oddMultiples(point, width) {
  const count = 1 << (width - 2), table = new Float64Array(count * SIZE), last = point.slice();
  double(last, true);
  putAddend(addend, 0, last);
  last.set(point);
  for (let i = 0; i < count; i++) {
    if (i > 0) addTo(last, addend, 0, false);
    putAddend(table, i * SIZE, last);
  }
  return table;
}

// The tables of a point that comes back often
export function fixed(point) {
  const tables = [], power = point.slice();
  for (let at = 0; at < 256; at += PIECE) {
    tables.push(oddMultiples(power, FIXED_WIDTH));
    for (let i = 0; i < PIECE; i++) double(power, i === PIECE - 1);
  }
  return tables;
}

const HEX = new Map([..."0123456789abcdef"].map((c, i) => [c.charCodeAt(0), i]));

// The bits of a number below 2^256, lowest first
function bitsOf(scalar) {
  const text = scalar.toString(16), bits = new Uint8Array(text.length * 4);
  for (let i = 0; i < text.length; i++) {
    const four = HEX.get(text.charCodeAt(text.length - 1 - i));
    for (let j = 0; j < 4; j++) bits[4 * i + j] = (four >> j) & 1;
  }
  return bits;
}

// Odd digits between -2^(width-1) and 2^(width-1) at their places, zero elsewhere
function digitsOf(bits, width) {
  const digits = new Int8Array(bits.length + 1), half = 1 << (width - 1);
  let carry = 0;
  for (let i = 0; i < digits.length;) {
    if (((bits[i] ?? 0) ^ carry) === 0) { i++; continue; }
    let value = carry;
    for (let j = 0; j < width; j++) value += (bits[i + j] ?? 0) << j;
    carry = value >= half ? 1 : 0;
    digits[i] = carry ? value - 2 * half : value;
    i += width;
  }
  return digits;
}

// Σ scalar·point. `terms`: {scalar, point, tables | undefined}, scalars not negative, tables as `fixed` gives them.
export function sumOfMultiples(terms) {
  const rows = [], due = new Uint8Array(258); // the places where some row has a digit
  const row = (bits, width, table) => {
    const digits = digitsOf(bits, width);
    rows.push({ digits, table });
    for (let i = 0; i < digits.length; i++) if (digits[i]) due[i] = 1;
  };
  for (const { scalar, point, tables } of terms) {
    const bits = bitsOf(scalar);
    if (tables) tables.forEach((table, i) => row(bits.subarray(PIECE * i, PIECE * (i + 1)), FIXED_WIDTH, table));
    else row(bits, WIDTH, oddMultiples(point, WIDTH));
  }
  const total = IDENTITY.slice();
  for (let i = due.lastIndexOf(1), first = i; i >= 0; i--) {
    if (i < first) double(total, due[i] === 1 || i === 0);
    if (!due[i]) continue;
    for (const { digits, table } of rows) {
      const digit = digits[i];
      if (digit) addTo(total, table, ((digit < 0 ? -digit : digit) >> 1) * SIZE, digit < 0);
    }
  }
  return total;
}
