// For tests: judges a vector of vectors/crypto/sealed.json and passphrase.json, every value on the way included (SPEC.md,
// Sealed boxes and Passphrase).

import { ed25519 } from "@noble/curves/ed25519";
import { hkdf } from "@noble/hashes/hkdf";
import { sha256 } from "@noble/hashes/sha2";
import { concat, equal, fromHex, littleEndian, numberBE, numberLE, toHex, utf8 } from "../bytes.mjs";
import { digest } from "../hashes.mjs";
import { verifyDleq } from "./dleq.mjs";
import { element, G, hashToScalar, q } from "./group.mjs";

// Whether the box holds a scalar, and Z is shown to open it; then the scalar must be the one that the vector names
export function opensBox(v) {
  const [E, R, Z] = [v.receiver, v.R, v.Z].map((hex) => element(fromHex(hex))), box = fromHex(v.box);
  if (box.length !== 32 || numberLE(box) >= q || !verifyDleq(fromHex(v.context), G, E, [R], [Z], fromHex(v.proof))) return false;
  const mask = hashToScalar(concat(Z.bytes, E.bytes, R.bytes, fromHex(v.about)), "p2p304/1 sealed");
  const x = (numberLE(box) + mask) % q;
  const whose = E.equals(G.times(numberLE(fromHex(v.e)))) && R.equals(G.times(numberLE(fromHex(v.r))));
  return whose && Z.equals(E.times(numberLE(fromHex(v.r)))) && x === numberLE(fromHex(v.scalar));
}

const Point = ed25519.ExtendedPoint, order = ed25519.CURVE.n;
const M = Point.fromHex("15cfd18e385952982b6a8f8c7854963b58e34388c8e6dae891db756481a02312");
const N = Point.fromHex("f04f2e7eb734b2a8f8b472eaf9c3c632576ac64aea650b496a8a20ff00e583c3");
const times = (point, n) => (n % order === 0n ? Point.ZERO : point.multiply(n % order));

// Full case folding, which JavaScript lacks. A letter at a time, because the end of a word changes nothing here. Cherokee folds to its
// capital letters, and the letter i without a dot to itself.
const foldLetter = (c) => (c === "\u0131" ? c : /\p{Script=Cherokee}/u.test(c) ? c.toUpperCase() :
  [...c.toLowerCase().toUpperCase()].map((capital) => capital.toLowerCase()).join(""));

// The bytes of a passphrase that the exchange is about. U+FEFF is no white space here, though \s would take it.
function passphraseBytes(passphrase) {
  const text = [...[...passphrase].slice(0, 128).join("").normalize("NFKC")].map(foldLetter).join("");
  return utf8(text.split(/[\p{White_Space}\x1c-\x1f]+/u).filter(Boolean).join(" "));
}

// What each side computes, from what it types and draws and from the other side's exchange
export function sides({ founder, visitor }) {
  const side = (own, other, mine, theirs, letter, word) => {
    const pw = passphraseBytes(own.passphrase);
    const w = numberBE(hkdf(sha256, pw, new Uint8Array(), utf8("SPAKE2 pw"), 48)) % order, scalar = numberLE(fromHex(own.scalar));
    const made = times(Point.BASE, scalar).add(times(mine, w)).toRawBytes();
    const got = fromHex(other.exchange).subarray(1);
    const K = times(Point.fromHex(toHex(got)).add(times(theirs, w).negate()), scalar).toRawBytes();
    const people = [concat(utf8("founder "), fromHex(founder.key)), concat(utf8("visitor "), fromHex(visitor.key))];
    const [X, Y] = word === "founder" ? [made, got] : [got, made];
    const transcript = concat(...[pw, ...people].map((part) => sha256(part)), X, Y, K), key = sha256(transcript);
    return {
      key: own.key, passphrase: own.passphrase, pw: toHex(pw), w: toHex(littleEndian(w, 32)), scalar: own.scalar,
      exchange: toHex(concat(utf8(letter), made)), K: toHex(K), transcript: toHex(transcript), shared_key: toHex(key),
      proof: toHex(digest("p2p304 passphrase", key, utf8(word))),
    };
  };
  return { founder: side(founder, visitor, M, N, "A", "founder"), visitor: side(visitor, founder, N, M, "B", "visitor") };
}

export const agree = ({ founder, visitor }) => equal(fromHex(founder.shared_key), fromHex(visitor.shared_key));
