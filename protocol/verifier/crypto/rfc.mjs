// The published vectors of the RFCs, each judged by one function that throws where something differs.

import { fromHex, toHex, utf8 } from "../bytes.mjs";
import { verifyBytes } from "../signatures.mjs";
import { verifyDleq } from "./dleq.mjs";
import { element, G, uniform, ZERO } from "./group.mjs";
import { derivedPoint, encodePoint } from "./ristretto.mjs";

const same = (got, want, what) => { if (got !== want) throw new Error(`${what}: ${got} is not ${want}`); };

export function rfc9496(v) {
  let sum = ZERO;
  for (const hex of v.multiples) {
    same(toHex(sum.bytes), hex, "multiple");
    if (!element(fromHex(hex))?.equals(sum)) throw new Error("a multiple is not read");
    sum = sum.add(G);
  }
  for (const hex of v.invalid.map((x) => x.encoding)) same(element(fromHex(hex)), null, hex);
  const from = v.uniform;
  for (const x of from) {
    const { bytes: input, element: output } = x;
    same(toHex(encodePoint(derivedPoint(fromHex(input)))), output, "derived element");
  }
}

export function rfc9497(v) {
  const context = fromHex(v.context), B = element(fromHex(v.pkSm));
  for (const x of v.vectors) {
    const single = x.BlindedElement.length === 1;
    const ok = verifyDleq(context, G, B, x.BlindedElement.map((e) => element(fromHex(e))), x.EvaluationElement.map((e) => element(fromHex(e))), fromHex(x.Proof));
    same(ok, single, `${x.name}: a batch of two differs from the RFC on purpose`);
  }
}

export function rfc9380(v) {
  for (const x of v.vectors) same(toHex(uniform(utf8(x.message), v.dst, x.length)), x.uniform, "uniform bytes");
}

export function rfc8032(v) {
  for (const x of v.vectors) same(verifyBytes(fromHex(x.public), fromHex(x.message), fromHex(x.signature)), true, "signature");
}

