// The shuffle argument (SPEC.md part 5): image = x·base and Y_i = x·X_π(i), five equations folded into one sum.

import { Transcript } from "./transcript.mjs";
import { G, combine, commitmentGenerators, mod, nonZeroElement, scalar } from "./group.mjs";

// What is refused before any proof is looked at; also the reason why D04 and D05 differ
export function shuffleStatementStands(base, image, X, Y) {
  const N = X.length;
  if (N < 2 || N > 64 || Y.length !== N) return false;
  if ([base, image, ...X, ...Y].some((e) => e === null || e.isIdentity)) return false;
  return distinct(X) && distinct(Y);
}

export const distinct = (list) => new Set(list.map((e) => e.bytes.join())).size === list.length;

export function verifyShuffle(context, base, image, X, Y, proof) {
  const N = X.length;
  if (context.length > 128 || !shuffleStatementStands(base, image, X, Y) || proof.length !== 96 * N + 320) return false;
  const piece = (i) => proof.subarray(32 * i, 32 * i + 32);
  const points = Array.from({ length: 8 }, (_, i) => nonZeroElement(piece(i)));
  const scalars = Array.from({ length: 3 * N + 2 }, (_, i) => scalar(piece(8 + i)));
  if (points.some((p) => p === null) || scalars.some((s) => s === null)) return false;
  const [A, B, D, E, F, W, T, TP] = points;
  const a = scalars.slice(0, N), middle = scalars.slice(N, 2 * N - 2), b = scalars.slice(2 * N - 2, 3 * N - 2);
  const [r, s, rB, x] = scalars.slice(3 * N - 2);

  const t_ = new Transcript("shuffle", context);
  t_.elements("base image", [base, image]);
  t_.elements("X", X);
  t_.elements("Y", Y);
  t_.elements("A", [A]);
  const t = t_.challenges("t", N);
  t_.elements("B", [B]);
  const [y, z] = t_.challenges("y z", 2);
  t_.elements("D E F W T T_P", [D, E, F, W, T, TP]);
  const e = t_.challenge("e");
  t_.data("responses", proof.subarray(256));
  const [v1, v2, v3, v4, v5] = t_.weights("weights", 5);

  let product = 1n;
  for (let i = 1; i <= N; i++) product = mod(product * (y * BigInt(i) + t[i - 1] - z));
  const p = [a[0], ...middle, mod(e * product)];

  // every equation as left - right, times its weight
  const H = commitmentGenerators(N);
  const h = H.map((_, i) => {
    let sum = v1 * (-e * z - a[i]) - v3 * b[i];
    if (i < N - 1) sum -= v2 * (e * p[i + 1] - p[i] * a[i + 1]);
    return mod(sum);
  });
  const terms = [
    [v1 * e * y, A], [v1 * e + v3 * e, B], [v1, D], [v2 * e, F], [v2, E], [v3, W], [v4, T], [v5 * e, image], [v5, TP],
    [-v5 * x, base], [-v1 * r - v2 * s - v3 * rB, G],
    ...H.map((Hi, i) => [h[i], Hi]),
    ...X.map((Xi, i) => [v4 * x * t[i], Xi]),
    ...Y.map((Yi, i) => [-v4 * b[i], Yi]),
  ];
  return combine(terms.map(([f]) => mod(f)), terms.map(([, P]) => P)).isIdentity;
}
