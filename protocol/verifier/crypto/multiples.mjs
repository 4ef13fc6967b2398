// Sums of multiples of points of the curve that ristretto255 and Ed25519 share (-x² + y² = 1 + d·x²·y², p = 2^255 - 19).
// Nothing here is secret, so speed alone counts: signed digits of several bits (wNAF), and one chain of doublings for all
// points. Points that come back in many sums (generators, keys) are kept as `fixed`: tables of several of their multiples,
// so that their scalars are cut in short pieces and the chain is short too.

import { ed25519 } from "@noble/curves/ed25519";

const Point = ed25519.Point;
const p = 2n ** 255n - 19n;
const twoD = (2n * 37095705934669439343138083508754565189542113879843219016388785533085940283555n) % p;
const WIDTH = 5, FIXED_WIDTH = 7;
const PIECE = 32;                       // bits of a scalar for each table of a fixed point

// Coordinates are kept between -p and p, as % leaves them. RFC 8032, 5.1.4.
function double({ X, Y, Z }) {
  const A = X * X, B = Y * Y, S = X + Y;
  const H = (A + B) % p, E = (A + B - S * S) % p, G = (A - B) % p, F = (2n * Z * Z + A - B) % p;
  return { X: (E * F) % p, Y: (G * H) % p, Z: (F * G) % p, T: (E * H) % p };
}

// An addend is kept in the form in which the sum needs it
const asAddend = ({ X, Y, Z, T }) => ({ minus: Y - X, plus: Y + X, t: (T * twoD) % p, z: 2n * Z });

function add({ X, Y, Z, T }, { minus, plus, t, z }, negative) {
  const A = (Y - X) * (negative ? plus : minus), B = (Y + X) * (negative ? minus : plus);
  const C = negative ? -T * t : T * t, D = Z * z;
  const E = (B - A) % p, F = (D - C) % p, G = (D + C) % p, H = (B + A) % p;
  return { X: (E * F) % p, Y: (G * H) % p, Z: (F * G) % p, T: (E * H) % p };
}

const IDENTITY = { X: 0n, Y: 1n, Z: 1n, T: 0n };

// 1, 3, 5 … times a point, for digits of so many bits
function oddMultiples(point, width) {
  const twice = asAddend(double(point)), table = [asAddend(point)];
  for (let last = point; table.length < 1 << (width - 2);) {
    last = add(last, twice, false);
    table.push(asAddend(last));
  }
  return table;
}

// The tables of a point that comes back often
export function fixed(point) {
  const tables = [];
  for (let at = 0, power = point; at < 256; at += PIECE) {
    tables.push(oddMultiples(power, FIXED_WIDTH));
    for (let i = 0; i < PIECE; i++) power = double(power);
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
  const rows = [];
  let length = 0;
  const row = (bits, width, table) => {
    const digits = digitsOf(bits, width);
    rows.push({ digits, table });
    length = Math.max(length, digits.length);
  };
  for (const { scalar, point, tables } of terms) {
    const bits = bitsOf(scalar);
    if (tables) tables.forEach((table, i) => row(bits.subarray(PIECE * i, PIECE * (i + 1)), FIXED_WIDTH, table));
    else row(bits, WIDTH, oddMultiples(point, WIDTH));
  }
  let sum = IDENTITY;
  for (let i = length - 1; i >= 0; i--) {
    if (sum !== IDENTITY) sum = double(sum);
    for (const { digits, table } of rows) {
      const digit = digits[i];
      if (digit) sum = add(sum, table[(digit < 0 ? -digit : digit) >> 1], digit < 0);
    }
  }
  const positive = (n) => (n < 0n ? n + p : n);
  return new Point(positive(sum.X), positive(sum.Y), positive(sum.Z), positive(sum.T));
}
