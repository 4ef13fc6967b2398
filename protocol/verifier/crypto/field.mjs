// Numbers modulo p = 2^255 - 19 in floating-point arithmetic (IEEE 754 doubles, which every JavaScript has). Where BigInt is slow this is
// three times as fast, and nowhere slower. crypto/test.mjs tries the bounds.
//
// A number is twelve doubles in a row of a Float64Array, x = x_0 + … + x_B. Each x_k is a multiple of 2^e_k, with
// e = 0 22 43 64 85 107 128 149 170 192 213 234: 21.25·k, rounded up; and 255 after the last.
//
// Why nothing is ever rounded. `mul`, `square`, `carry` and `read` give *reduced* numbers: |x_k| is at most 2^(e_(k+1) - 1) + 2^(e_k + 14),
// which is under 1.02·2^(e_(k+1) - 1). A product x_i·y_j is a multiple of 2^(e_i + e_j), so of 2^e_(i+j), or, times 19/2^255, of
// 2^e_(i+j-12). In units of 2^e_k each product that goes into result k is under 1.05·2^(2·21.25 + 2·0.75 - 2) = 1.05·2^42. Result 0
// has most: 1 + 11·19 = 210 of them, together under 2^49.8. Doubles hold whole numbers up to 2^53. So a factor may be a sum of
// m reduced numbers and the other one of n, as long as m·n ≤ 8: that is under 2^52.8. Every caller keeps to this.

const SIZES = [0, 22, 43, 64, 85, 107, 128, 149, 170, 192, 213, 234, 255];
const W = 19 * 2 ** -255; // 2^255 is 19
export const p = 2n ** 255n - 19n;
export const LIMBS = 12;

// x + C_k - C_k is x rounded to a multiple of 2^e_k, for |x| below 2^(e_k + 51)
const [, C1, C2, C3, C4, C5, C6, C7, C8, C9, CA, CB, CC] = SIZES.map((e) => 3 * 2 ** (51 + e));

// In the three functions below every place hands on what is too large for it, in two chains at once: from 0 to 6 and from 6 to 0,
// and once more from 0 and 6. The second time 0 hands on at most 19·2^32 / 2^22, which is under 2^14 units of place 1.

// out = a·b, each at its offset; out may be a or b
export function mul(out, o, a, i, b, j) {
  const a0 = a[i], a1 = a[i + 1], a2 = a[i + 2], a3 = a[i + 3], a4 = a[i + 4], a5 = a[i + 5];
  const a6 = a[i + 6], a7 = a[i + 7], a8 = a[i + 8], a9 = a[i + 9], aA = a[i + 10], aB = a[i + 11];
  const b0 = b[j], b1 = b[j + 1], b2 = b[j + 2], b3 = b[j + 3], b4 = b[j + 4], b5 = b[j + 5];
  const b6 = b[j + 6], b7 = b[j + 7], b8 = b[j + 8], b9 = b[j + 9], bA = b[j + 10], bB = b[j + 11];
  let r0 = a0 * b0 + W * (a1 * bB + a2 * bA + a3 * b9 + a4 * b8 + a5 * b7 + a6 * b6 + a7 * b5 + a8 * b4 + a9 * b3 + aA * b2 + aB * b1);
  let r1 = a0 * b1 + a1 * b0 + W * (a2 * bB + a3 * bA + a4 * b9 + a5 * b8 + a6 * b7 + a7 * b6 + a8 * b5 + a9 * b4 + aA * b3 + aB * b2);
  let r2 = a0 * b2 + a1 * b1 + a2 * b0 + W * (a3 * bB + a4 * bA + a5 * b9 + a6 * b8 + a7 * b7 + a8 * b6 + a9 * b5 + aA * b4 + aB * b3);
  let r3 = a0 * b3 + a1 * b2 + a2 * b1 + a3 * b0 + W * (a4 * bB + a5 * bA + a6 * b9 + a7 * b8 + a8 * b7 + a9 * b6 + aA * b5 + aB * b4);
  let r4 = a0 * b4 + a1 * b3 + a2 * b2 + a3 * b1 + a4 * b0 + W * (a5 * bB + a6 * bA + a7 * b9 + a8 * b8 + a9 * b7 + aA * b6 + aB * b5);
  let r5 = a0 * b5 + a1 * b4 + a2 * b3 + a3 * b2 + a4 * b1 + a5 * b0 + W * (a6 * bB + a7 * bA + a8 * b9 + a9 * b8 + aA * b7 + aB * b6);
  let r6 = a0 * b6 + a1 * b5 + a2 * b4 + a3 * b3 + a4 * b2 + a5 * b1 + a6 * b0 + W * (a7 * bB + a8 * bA + a9 * b9 + aA * b8 + aB * b7);
  let r7 = a0 * b7 + a1 * b6 + a2 * b5 + a3 * b4 + a4 * b3 + a5 * b2 + a6 * b1 + a7 * b0 + W * (a8 * bB + a9 * bA + aA * b9 + aB * b8);
  let r8 = a0 * b8 + a1 * b7 + a2 * b6 + a3 * b5 + a4 * b4 + a5 * b3 + a6 * b2 + a7 * b1 + a8 * b0 + W * (a9 * bB + aA * bA + aB * b9);
  let r9 = a0 * b9 + a1 * b8 + a2 * b7 + a3 * b6 + a4 * b5 + a5 * b4 + a6 * b3 + a7 * b2 + a8 * b1 + a9 * b0 + W * (aA * bB + aB * bA);
  let rA = a0 * bA + a1 * b9 + a2 * b8 + a3 * b7 + a4 * b6 + a5 * b5 + a6 * b4 + a7 * b3 + a8 * b2 + a9 * b1 + aA * b0 + W * (aB * bB);
  let rB = a0 * bB + a1 * bA + a2 * b9 + a3 * b8 + a4 * b7 + a5 * b6 + a6 * b5 + a7 * b4 + a8 * b3 + a9 * b2 + aA * b1 + aB * b0;
  let c, d;
  c = r0 + C1 - C1; r0 -= c; r1 += c; d = r6 + C7 - C7; r6 -= d; r7 += d;
  c = r1 + C2 - C2; r1 -= c; r2 += c; d = r7 + C8 - C8; r7 -= d; r8 += d;
  c = r2 + C3 - C3; r2 -= c; r3 += c; d = r8 + C9 - C9; r8 -= d; r9 += d;
  c = r3 + C4 - C4; r3 -= c; r4 += c; d = r9 + CA - CA; r9 -= d; rA += d;
  c = r4 + C5 - C5; r4 -= c; r5 += c; d = rA + CB - CB; rA -= d; rB += d;
  c = r5 + C6 - C6; r5 -= c; r6 += c; d = rB + CC - CC; rB -= d; r0 += W * d;
  c = r6 + C7 - C7; r6 -= c; r7 += c; d = r0 + C1 - C1; r0 -= d; r1 += d;
  out[o] = r0; out[o + 1] = r1; out[o + 2] = r2; out[o + 3] = r3; out[o + 4] = r4; out[o + 5] = r5;
  out[o + 6] = r6; out[o + 7] = r7; out[o + 8] = r8; out[o + 9] = r9; out[o + 10] = rA; out[o + 11] = rB;
}

// out = a²
export function square(out, o, a, i) {
  const a0 = a[i], a1 = a[i + 1], a2 = a[i + 2], a3 = a[i + 3], a4 = a[i + 4], a5 = a[i + 5];
  const a6 = a[i + 6], a7 = a[i + 7], a8 = a[i + 8], a9 = a[i + 9], aA = a[i + 10], aB = a[i + 11];
  const d0 = 2 * a0, d1 = 2 * a1, d2 = 2 * a2, d3 = 2 * a3, d4 = 2 * a4, d5 = 2 * a5, d6 = 2 * a6, d7 = 2 * a7, d8 = 2 * a8, d9 = 2 * a9, dA = 2 * aA;
  let r0 = a0 * a0 + W * (d1 * aB + d2 * aA + d3 * a9 + d4 * a8 + d5 * a7 + a6 * a6);
  let r1 = d0 * a1 + W * (d2 * aB + d3 * aA + d4 * a9 + d5 * a8 + d6 * a7);
  let r2 = d0 * a2 + a1 * a1 + W * (d3 * aB + d4 * aA + d5 * a9 + d6 * a8 + a7 * a7);
  let r3 = d0 * a3 + d1 * a2 + W * (d4 * aB + d5 * aA + d6 * a9 + d7 * a8);
  let r4 = d0 * a4 + d1 * a3 + a2 * a2 + W * (d5 * aB + d6 * aA + d7 * a9 + a8 * a8);
  let r5 = d0 * a5 + d1 * a4 + d2 * a3 + W * (d6 * aB + d7 * aA + d8 * a9);
  let r6 = d0 * a6 + d1 * a5 + d2 * a4 + a3 * a3 + W * (d7 * aB + d8 * aA + a9 * a9);
  let r7 = d0 * a7 + d1 * a6 + d2 * a5 + d3 * a4 + W * (d8 * aB + d9 * aA);
  let r8 = d0 * a8 + d1 * a7 + d2 * a6 + d3 * a5 + a4 * a4 + W * (d9 * aB + aA * aA);
  let r9 = d0 * a9 + d1 * a8 + d2 * a7 + d3 * a6 + d4 * a5 + W * (dA * aB);
  let rA = d0 * aA + d1 * a9 + d2 * a8 + d3 * a7 + d4 * a6 + a5 * a5 + W * (aB * aB);
  let rB = d0 * aB + d1 * aA + d2 * a9 + d3 * a8 + d4 * a7 + d5 * a6;
  let c, d;
  c = r0 + C1 - C1; r0 -= c; r1 += c; d = r6 + C7 - C7; r6 -= d; r7 += d;
  c = r1 + C2 - C2; r1 -= c; r2 += c; d = r7 + C8 - C8; r7 -= d; r8 += d;
  c = r2 + C3 - C3; r2 -= c; r3 += c; d = r8 + C9 - C9; r8 -= d; r9 += d;
  c = r3 + C4 - C4; r3 -= c; r4 += c; d = r9 + CA - CA; r9 -= d; rA += d;
  c = r4 + C5 - C5; r4 -= c; r5 += c; d = rA + CB - CB; rA -= d; rB += d;
  c = r5 + C6 - C6; r5 -= c; r6 += c; d = rB + CC - CC; rB -= d; r0 += W * d;
  c = r6 + C7 - C7; r6 -= c; r7 += c; d = r0 + C1 - C1; r0 -= d; r1 += d;
  out[o] = r0; out[o + 1] = r1; out[o + 2] = r2; out[o + 3] = r3; out[o + 4] = r4; out[o + 5] = r5;
  out[o + 6] = r6; out[o + 7] = r7; out[o + 8] = r8; out[o + 9] = r9; out[o + 10] = rA; out[o + 11] = rB;
}

// out = a, reduced
export function carry(out, o, a, i) {
  let r0 = a[i], r1 = a[i + 1], r2 = a[i + 2], r3 = a[i + 3], r4 = a[i + 4], r5 = a[i + 5];
  let r6 = a[i + 6], r7 = a[i + 7], r8 = a[i + 8], r9 = a[i + 9], rA = a[i + 10], rB = a[i + 11];
  let c, d;
  c = r0 + C1 - C1; r0 -= c; r1 += c; d = r6 + C7 - C7; r6 -= d; r7 += d;
  c = r1 + C2 - C2; r1 -= c; r2 += c; d = r7 + C8 - C8; r7 -= d; r8 += d;
  c = r2 + C3 - C3; r2 -= c; r3 += c; d = r8 + C9 - C9; r8 -= d; r9 += d;
  c = r3 + C4 - C4; r3 -= c; r4 += c; d = r9 + CA - CA; r9 -= d; rA += d;
  c = r4 + C5 - C5; r4 -= c; r5 += c; d = rA + CB - CB; rA -= d; rB += d;
  c = r5 + C6 - C6; r5 -= c; r6 += c; d = rB + CC - CC; rB -= d; r0 += W * d;
  c = r6 + C7 - C7; r6 -= c; r7 += c; d = r0 + C1 - C1; r0 -= d; r1 += d;
  out[o] = r0; out[o + 1] = r1; out[o + 2] = r2; out[o + 3] = r3; out[o + 4] = r4; out[o + 5] = r5;
  out[o + 6] = r6; out[o + 7] = r7; out[o + 8] = r8; out[o + 9] = r9; out[o + 10] = rA; out[o + 11] = rB;
}

// out = a + b and out = a - b, not reduced
export function add(out, o, a, i, b, j) {
  out[o] = a[i] + b[j]; out[o + 1] = a[i + 1] + b[j + 1]; out[o + 2] = a[i + 2] + b[j + 2]; out[o + 3] = a[i + 3] + b[j + 3];
  out[o + 4] = a[i + 4] + b[j + 4]; out[o + 5] = a[i + 5] + b[j + 5]; out[o + 6] = a[i + 6] + b[j + 6]; out[o + 7] = a[i + 7] + b[j + 7];
  out[o + 8] = a[i + 8] + b[j + 8]; out[o + 9] = a[i + 9] + b[j + 9]; out[o + 10] = a[i + 10] + b[j + 10]; out[o + 11] = a[i + 11] + b[j + 11];
}

export function subtract(out, o, a, i, b, j) {
  out[o] = a[i] - b[j]; out[o + 1] = a[i + 1] - b[j + 1]; out[o + 2] = a[i + 2] - b[j + 2]; out[o + 3] = a[i + 3] - b[j + 3];
  out[o + 4] = a[i + 4] - b[j + 4]; out[o + 5] = a[i + 5] - b[j + 5]; out[o + 6] = a[i + 6] - b[j + 6]; out[o + 7] = a[i + 7] - b[j + 7];
  out[o + 8] = a[i + 8] - b[j + 8]; out[o + 9] = a[i + 9] - b[j + 9]; out[o + 10] = a[i + 10] - b[j + 10]; out[o + 11] = a[i + 11] - b[j + 11];
}

// out = n, for a BigInt from 0 to 2^256 - 1
export function read(out, o, n) {
  for (let k = 0; k < LIMBS; k++) {
    const bits = BigInt(SIZES[k + 1] - SIZES[k] + (k === 11 ? 1 : 0));
    out[o + k] = Number(n & ((1n << bits) - 1n)) * 2 ** SIZES[k];
    n >>= bits;
  }
  carry(out, o, out, o);
}

// The number from 0 to p - 1 that a is
export function value(a, i) {
  let n = 0n;
  for (let k = LIMBS - 2; k >= 0; k -= 2) n += BigInt((a[i + k] + a[i + k + 1]) / 2 ** SIZES[k]) << BigInt(SIZES[k]);
  n %= p;
  return n < 0n ? n + p : n;
}

export const number = (n) => { const out = new Float64Array(LIMBS); read(out, 0, n); return out; };

// out = a^(2^times)
function squares(out, a, times) {
  square(out, 0, a, 0);
  for (let k = 1; k < times; k++) square(out, 0, out, 0);
}

const [t0, t1, t2, t3] = Array.from({ length: 4 }, () => new Float64Array(LIMBS));

// t0 = a^(2^250 - 1), t1 = a^11
function power250(a) {
  squares(t2, a, 1);
  squares(t1, t2, 2); mul(t0, 0, t1, 0, a, 0); mul(t1, 0, t0, 0, t2, 0);          // 9, 11
  squares(t2, t1, 1); mul(t0, 0, t2, 0, t0, 0);                                   // 2^5 - 1
  squares(t2, t0, 5); mul(t2, 0, t2, 0, t0, 0);                                   // 2^10 - 1
  squares(t3, t2, 10); mul(t3, 0, t3, 0, t2, 0);                                  // 2^20 - 1
  squares(t0, t3, 20); mul(t3, 0, t3, 0, t0, 0);                                  // 2^40 - 1
  squares(t3, t3, 10); mul(t2, 0, t2, 0, t3, 0);                                  // 2^50 - 1
  squares(t3, t2, 50); mul(t3, 0, t3, 0, t2, 0);                                  // 2^100 - 1
  squares(t0, t3, 100); mul(t3, 0, t3, 0, t0, 0);                                 // 2^200 - 1
  squares(t3, t3, 50); mul(t0, 0, t3, 0, t2, 0);                                  // 2^250 - 1
}

// out = a^(p - 2), which is 1/a, and out = a^((p - 5)/8); a reduced
export function invert(out, a) { power250(a); squares(t0, t0, 5); mul(out, 0, t0, 0, t1, 0); }
export function power58(out, a) { power250(a); squares(t0, t0, 2); mul(out, 0, t0, 0, a, 0); }
