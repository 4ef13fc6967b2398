// node --test crypto/test.mjs: numbers, points and encodings against BigInt and @noble/curves, at random and at the bounds.

import assert from "node:assert/strict";
import { test } from "node:test";
import { ed25519, ristretto255, ristretto255_hasher } from "@noble/curves/ed25519";
import { expand_message_xmd } from "@noble/curves/abstract/hash-to-curve";
import { sha512 } from "@noble/hashes/sha2";
import { littleEndian, numberLE, toHex, utf8 } from "../bytes.mjs";
import { LIMBS, add, carry, invert, mul, number, p, power58, square, subtract, value } from "./field.mjs";
import { combine, element, hashToElement, q, uniform } from "./group.mjs";
import { fixed, sumOfMultiples } from "./multiples.mjs";
import { decodePoint, derivedPoint, encodePoint, samePoint } from "./ristretto.mjs";
import { Stream } from "./stream.mjs";

const stream = new Stream(new Uint8Array(32).fill(7));
const random = () => numberLE(stream.bytes(64));
const mod = (n) => ((n % p) + p) % p;
const fresh = () => new Float64Array(LIMBS);
const EDGES = [0n, 1n, 2n, 18n, 19n, 20n, p - 1n, p - 2n, p - 19n, p, p + 1n, p + 18n, 2n ** 255n - 1n, 2n ** 256n - 1n, (p - 1n) / 2n, 2n ** 254n];
const EXPONENTS = [0, 22, 43, 64, 85, 107, 128, 149, 170, 192, 213, 234, 255];

// What twelve doubles are, exactly
const exact = (a) => [...a].reduce((sum, x, k) => sum + BigInt(x / 2 ** EXPONENTS[k]) * 2n ** BigInt(EXPONENTS[k]), 0n);
// The largest place k of a reduced number
const bound = (k) => 2 ** (EXPONENTS[k + 1] - 1) + 2 ** (EXPONENTS[k] + 14);
const isReduced = (a) => a.every((x, k) => Math.abs(x) <= bound(k) && Number.isInteger(x / 2 ** EXPONENTS[k]));

test("numbers are read and written", () => {
  for (const n of [...EDGES, ...Array.from({ length: 200 }, () => random() % 2n ** 256n)]) {
    assert.ok(isReduced(number(n)));
    assert.equal(value(number(n), 0), mod(n));
  }
});

// Sums of m and n reduced numbers, all places at their bounds, with these signs
const largest = (times, sign) => Float64Array.from({ length: LIMBS }, (_, k) => times * bound(k) * sign(k));
const SIGNS = [() => 1, () => -1, (k) => (k % 2 ? 1 : -1), (k) => (k === 0 ? 1 : -1), ...Array.from({ length: 40 }, () => { const bits = random(); return (k) => ((bits >> BigInt(k)) & 1n ? 1 : -1); })];

test("products are exact at the bounds", () => {
  const out = fresh();
  for (const [m, n] of [[1, 1], [2, 2], [4, 2], [3, 2], [8, 1], [1, 8]])
    for (const s of SIGNS) for (const t of SIGNS.slice(0, 6)) {
      const a = largest(m, s), b = largest(n, t);
      mul(out, 0, a, 0, b, 0);
      assert.equal(mod(exact(out)), mod(exact(a) * exact(b)));
      assert.ok(isReduced(out));
    }
  for (const m of [1, 2]) for (const s of SIGNS) {
    const a = largest(m, s);
    square(out, 0, a, 0);
    assert.equal(mod(exact(out)), mod(exact(a) ** 2n));
    assert.ok(isReduced(out));
    carry(out, 0, a, 0);
    assert.equal(mod(exact(out)), mod(exact(a)));
    assert.ok(isReduced(out));
  }
});

test("arithmetic at random and at the edges", () => {
  const numbers = [...EDGES.map((n) => n % 2n ** 256n), ...Array.from({ length: 40 }, () => random() % p)], out = fresh();
  for (const x of numbers) for (const y of numbers) {
    const [a, b] = [number(x), number(y)];
    const is = (n) => assert.equal(value(out, 0), mod(n));
    mul(out, 0, a, 0, b, 0); is(x * y);
    add(out, 0, a, 0, b, 0); is(x + y);
    subtract(out, 0, a, 0, b, 0); is(x - y);
    square(out, 0, a, 0); is(x * x);
  }
  const power = (base, e) => { let r = 1n; for (base = mod(base); e > 0n; e >>= 1n) { if (e & 1n) r = (r * base) % p; base = (base * base) % p; } return r; };
  for (const x of numbers) {
    invert(out, number(x));
    assert.equal(value(out, 0), power(x, p - 2n));
    power58(out, number(x));
    assert.equal(value(out, 0), power(x, (p - 5n) / 8n));
  }
});

const noble = ristretto255.Point;
const decoded = (bytes) => { try { return noble.fromHex(bytes); } catch { return null; } };

test("encodings are those of another library", () => {
  let read = 0;
  const strings = [...EDGES.map((n) => littleEndian(n % 2n ** 256n, 32)), ...Array.from({ length: 400 }, () => stream.bytes(32)).map((b) => { b[0] &= 254; b[31] &= 127; return b; })];
  for (const bytes of strings) {
    const theirs = decoded(bytes), ours = decodePoint(bytes);
    assert.equal(ours === null, theirs === null, toHex(bytes));
    if (ours === null) continue;
    read += 1;
    assert.deepEqual(encodePoint(ours), bytes);
  }
  assert.ok(read > 50);
});

test("derived elements and hashes are those of another library", () => {
  for (let i = 0; i < 50; i++) {
    const bytes = i === 0 ? new Uint8Array(64) : i === 1 ? new Uint8Array(64).fill(255) : stream.bytes(64);
    assert.equal(toHex(encodePoint(derivedPoint(bytes))), toHex(noble.hashToCurve(bytes).toBytes()));
    const message = stream.bytes(i * 5), tag = utf8(`tag-${"x".repeat(i)}`);
    assert.deepEqual(uniform(message, tag, 1 + 11 * i), expand_message_xmd(message, tag, 1 + 11 * i, sha512));
    assert.equal(toHex(hashToElement(message, tag).bytes), toHex(ristretto255_hasher.hashToCurve(message, { DST: tag }).toBytes()));
  }
});

test("sums of multiples are those of another library", () => {
  for (let i = 0; i < 40; i++) {
    const points = Array.from({ length: 1 + (i % 5) }, () => noble.hashToCurve(stream.bytes(64)));
    const scalars = points.map((_, k) => [0n, 1n, q - 1n, 2n ** BigInt(i), random() % q, random() % q][(i + k) % 6]);
    const elements = points.map((point) => element(point.toBytes()));
    if (i % 3 === 0) elements[0].fix();
    const theirs = points.reduce((sum, point, k) => sum.add(scalars[k] === 0n ? noble.ZERO : point.multiply(scalars[k])), noble.ZERO);
    const ours = combine(scalars, elements);
    assert.equal(toHex(ours.bytes), toHex(theirs.toBytes()));
    assert.equal(combine(scalars, elements).isIdentity, theirs.is0());
    assert.ok(combine([1n, q - 1n], [ours, ours]).isIdentity);
    const [a, b] = [elements[0], elements.at(-1)], [A, B] = [points[0], points.at(-1)];
    for (const [x, y] of [[a.add(b), A.add(B)], [a.subtract(b), A.subtract(B)], [a.negate(), A.negate()]]) assert.equal(toHex(x.bytes), toHex(y.toBytes()));
  }
});

// Points that differ by one of small order are one element
test("an element is four points", () => {
  const B = ed25519.Point.BASE, torsion = ed25519.Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a", true);
  const limbs = (P) => { const out = new Float64Array(4 * LIMBS); [P.X, P.Y, P.Z, P.T].forEach((n, k) => out.set(number(n), k * LIMBS)); return out; };
  let moved = B;
  for (let i = 0; i < 4; i++, moved = moved.add(torsion.double())) {
    assert.ok(samePoint(limbs(B), limbs(moved)));
    assert.equal(toHex(encodePoint(limbs(moved))), toHex(noble.BASE.toBytes()));
  }
  assert.ok(!samePoint(limbs(B), limbs(B.double())));
  const tables = fixed(limbs(B));
  assert.ok(samePoint(sumOfMultiples([{ scalar: 5n, tables }, { scalar: q - 3n, point: limbs(B) }]), limbs(B.double())));
});
