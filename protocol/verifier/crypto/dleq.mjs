// Equal logarithms (SPEC.md part 5): B = k·A and D_i = k·C_i, RFC 9497's proof with the whole batch in the seed.

import { sha512 } from "@noble/hashes/sha2";
import { bigEndian, concat, utf8 } from "../bytes.mjs";
import { G, combine, hashToScalar, scalar } from "./group.mjs";

const sized = (bytes) => concat(bigEndian(bytes.length, 2), bytes);

export function verifyDleq(context, A, B, C, D, proof) {
  const n = C.length;
  if (n < 1 || D.length !== n || context.length > 128) return false;
  if ([A, B, ...C, ...D].some((e) => e === null || e.isIdentity)) return false;
  if (proof.length !== 64) return false;
  const c = scalar(proof.subarray(0, 32)), s = scalar(proof.subarray(32));
  if (c === null || s === null) return false;

  const tag = concat(utf8("HashToScalar-"), context);
  const base = A.equals(G) ? new Uint8Array(0) : sized(A.bytes);
  const batch = n === 1 ? [] : C.flatMap((Ci, i) => [sized(Ci.bytes), sized(D[i].bytes)]);
  const seed = sha512(concat(base, sized(B.bytes), ...batch, sized(concat(utf8("Seed-"), context))));
  const d = C.map((Ci, i) =>
    hashToScalar(concat(sized(seed), bigEndian(i, 2), sized(Ci.bytes), sized(D[i].bytes), utf8("Composite")), tag));
  const M = combine(d, C), Z = combine(d, D);
  const T1 = combine([s, c], [A, B]), T2 = combine([s, c], [M, Z]);
  const hashed = concat(base, ...[B, M, Z, T1, T2].map((e) => sized(e.bytes)), utf8("Challenge"));
  return hashToScalar(hashed, tag) === c;
}
