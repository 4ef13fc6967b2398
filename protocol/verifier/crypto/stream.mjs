// Streams of random bytes grown from a seed (SPEC.md part 5, Randomness): the draw of seats and dealer needs them.

import { shake256 } from "@noble/hashes/sha3";
import { bigEndian, concat, numberBE, utf8 } from "../bytes.mjs";
import { wide } from "./group.mjs";

export class Stream {
  constructor(seed) { this.seed = seed; this.block = 0; this.rest = new Uint8Array(0); }

  child(...labels) {
    const bytes = labels.map((l) => (typeof l === "string" ? utf8(l) : l));
    const framed = bytes.flatMap((l) => [bigEndian(l.length, 4), l]);
    return new Stream(shake256(concat(Uint8Array.of(1), this.seed, Uint8Array.of(labels.length), ...framed), { dkLen: 32 }));
  }

  bytes(n) {
    while (this.rest.length < n) {
      const more = shake256(concat(Uint8Array.of(2), this.seed, bigEndian(this.block++, 8)), { dkLen: 1024 });
      this.rest = concat(this.rest, more);
    }
    const out = this.rest.slice(0, n);
    this.rest = this.rest.slice(n);
    return out;
  }

  scalar() {
    for (;;) {
      const s = wide(this.bytes(64));
      if (s !== 0n) return s;
    }
  }

  below(n) {
    const bits = (n - 1).toString(2).length * (n > 1 ? 1 : 0);
    if (bits === 0) return 0;
    for (;;) {
      const drawn = Number(numberBE(this.bytes(Math.ceil(bits / 8))) & ((1n << BigInt(bits)) - 1n));
      if (drawn < n) return drawn;
    }
  }

  permutation(n) {
    const out = Array.from({ length: n }, (_, i) => i);
    for (let i = n - 1; i > 0; i--) {
      const j = this.below(i + 1);
      [out[i], out[j]] = [out[j], out[i]];
    }
    return out;
  }
}
