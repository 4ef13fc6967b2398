// ristretto255 (RFC 9496): from 32 bytes to a point and back, equality, and the point that 64 bytes give. Points as in
// multiples.mjs, numbers as in field.mjs. The names of the steps are the RFC's.

import { littleEndian, numberLE } from "../bytes.mjs";
import { LIMBS, add, carry, mul, number, p, power58, square, subtract, value } from "./field.mjs";
import { D, SIZE, T, X, Y, Z, sum } from "./multiples.mjs";

const ONE = number(1n), d = number(D);
const SQRT_M1 = number(19681161376707505956807079304988542015446066515923890162744021073123829784752n);
const SQRT_AD_MINUS_ONE = number(25063068953384623474111414158702152701244531502492656460079210482610430750235n);
const INVSQRT_A_MINUS_D = number(54469307008909316920995813868745141605393597292927456921205312896311721017578n);
const ONE_MINUS_D_SQ = number(1159843021668779879193775521855586647937357759715417654439879720876111806838n);
const D_MINUS_ONE_SQ = number(40440834346308536858101042469323190826248399146238708352240133220865137265952n);

// Numbers for the steps of one call. Each exported function begins with the first again, and lets none out.
const scratch = Array.from({ length: 96 }, () => new Float64Array(LIMBS));
let used = 0;
const fresh = () => scratch[used++];
const times = (a, b) => { const out = fresh(); mul(out, 0, a, 0, b, 0); return out; };
const squared = (a) => { const out = fresh(); square(out, 0, a, 0); return out; };
const plus = (a, b) => { const out = fresh(); add(out, 0, a, 0, b, 0); return out; };
const minus = (a, b) => { const out = fresh(); subtract(out, 0, a, 0, b, 0); return out; };
const negated = (a) => { const out = fresh(); for (let k = 0; k < LIMBS; k++) out[k] = -a[k]; return out; };
const reduced = (a) => { const out = fresh(); carry(out, 0, a, 0); return out; };
const isZero = (a) => value(a, 0) === 0n;
const isNegative = (a) => (value(a, 0) & 1n) === 1n;
const absolute = (a) => (isNegative(a) ? negated(a) : a);

// SQRT_RATIO_M1: whether u/v is a square, and the root that is not negative, of u/v or of √-1·u/v
function root(u, v) {
  const v3 = times(squared(v), v), v7 = times(squared(v3), v), power = fresh();
  power58(power, times(u, v7));
  let r = times(times(u, v3), power);
  const check = value(times(v, squared(r)), 0), wanted = value(u, 0);
  const minusU = (p - wanted) % p, minusUI = (p - value(times(u, SQRT_M1), 0)) % p;
  if (check === minusU || check === minusUI) r = times(r, SQRT_M1);
  return { isSquare: check === wanted || check === minusU, r: absolute(r) };
}

function pointFrom(x, y, z, t) {
  const P = new Float64Array(SIZE);
  P.set(x, X);
  P.set(y, Y);
  P.set(z, Z);
  P.set(t, T);
  return P;
}

// 4.3.1: the point of 32 bytes, or null
export function decodePoint(bytes) {
  used = 0;
  const n = numberLE(bytes);
  if (n >= p || (n & 1n) === 1n) return null;
  const s = number(n), ss = squared(s), u1 = minus(ONE, ss), u2 = plus(ONE, ss), u2s = squared(u2);
  const v = reduced(minus(negated(times(d, squared(u1))), u2s));
  const { isSquare, r } = root(ONE, times(v, u2s));
  const denX = times(r, u2), denY = times(times(r, denX), v);
  const x = absolute(times(plus(s, s), denX)), y = times(u1, denY), t = times(x, y);
  return !isSquare || isNegative(t) || isZero(y) ? null : pointFrom(x, y, ONE, t);
}

// 4.3.2: the 32 bytes of a point
export function encodePoint(P) {
  used = 0;
  const [x0, y0, z0, t0] = [X, Y, Z, T].map((k) => P.subarray(k, k + LIMBS));
  const u1 = times(plus(z0, y0), minus(z0, y0)), u2 = times(x0, y0);
  const { r } = root(ONE, times(u1, squared(u2)));
  const den1 = times(r, u1), den2 = times(r, u2), zInverse = times(times(den1, den2), t0);
  const rotate = isNegative(times(t0, zInverse));
  const x = rotate ? times(y0, SQRT_M1) : x0;
  let y = rotate ? times(x0, SQRT_M1) : y0;
  if (isNegative(times(x, zInverse))) y = negated(y);
  const n = value(times(rotate ? times(den1, INVSQRT_A_MINUS_D) : den2, minus(z0, y)), 0);
  return littleEndian((n & 1n) === 1n ? p - n : n, 32);
}

// 4.3.3: two points may be one element
export function samePoint(P, Q) {
  used = 0;
  const product = (i, j) => { const out = fresh(); mul(out, 0, P, i, Q, j); return value(out, 0); };
  return product(X, Y) === product(Y, X) || product(Y, Y) === product(X, X);
}

// 4.3.4: MAP, the point of a number
function mapped(t) {
  used = 0;
  const r = times(SQRT_M1, squared(t));
  const u = times(plus(r, ONE), ONE_MINUS_D_SQ);
  const v = times(minus(negated(ONE), times(r, d)), plus(r, d));
  const found = root(u, v);
  const s = found.isSquare ? found.r : negated(absolute(times(found.r, t)));
  const c = found.isSquare ? negated(ONE) : r;
  const N = reduced(minus(times(times(c, minus(r, ONE)), D_MINUS_ONE_SQ), v)), ss = squared(s);
  const w0 = times(plus(s, s), v), w1 = times(N, SQRT_AD_MINUS_ONE), w2 = minus(ONE, ss), w3 = plus(ONE, ss);
  return pointFrom(times(w0, w3), times(w2, w1), times(w1, w3), times(w0, w2));
}

const LOW = 2n ** 255n - 1n;

// The element derived from 64 uniform bytes
export const derivedPoint = (bytes) =>
  sum(mapped(number((numberLE(bytes.subarray(0, 32)) & LOW) % p)), mapped(number((numberLE(bytes.subarray(32)) & LOW) % p)));
