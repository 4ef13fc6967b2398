// The transcript of a proof and its challenges (SPEC.md part 5, Transcripts and challenges): one SHA-512 state that
// absorbs frames.

import { sha512 } from "@noble/hashes/sha2";
import { shake256 } from "@noble/hashes/sha3";
import { bigEndian, concat, numberLE, utf8 } from "../bytes.mjs";
import { wide } from "./group.mjs";

const EMPTY = new Uint8Array(0);

export class Transcript {
  constructor(name, context) {
    this.state = sha512.create();
    this.frame(0, "p2p304-v1", utf8(name));
    this.frame(1, "context", context);
  }

  frame(kind, label, data) {
    const text = utf8(label);
    this.state.update(concat(Uint8Array.of(kind, text.length), text, bigEndian(data.length, 4), data));
  }

  data(label, bytes) { this.frame(1, label, bytes); }
  elements(label, list) { this.frame(2, label, concat(...list.map((e) => e.bytes))); }
  soFar() { return this.state.clone().digest(); }

  challenge(label) {
    this.frame(3, label, EMPTY);
    return wide(this.soFar());
  }

  challenges(label, n) {
    this.frame(3, label, bigEndian(n, 2));
    const bytes = shake256(this.soFar(), { dkLen: 64 * n });
    return Array.from({ length: n }, (_, i) => wide(bytes.subarray(64 * i, 64 * i + 64)));
  }

  weights(label, n) {
    this.frame(3, label, bigEndian(n, 2));
    const bytes = shake256(this.soFar(), { dkLen: 16 * n });
    return Array.from({ length: n }, (_, i) => numberLE(bytes.subarray(16 * i, 16 * i + 16)) || 1n);
  }
}
