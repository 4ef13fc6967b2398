// The labelled hashes (SPEC.md part 2): digest(label; parts) with SHA-512/256, and the hash link of an entry.

import { sha512_256 } from "@noble/hashes/sha2";
import { bigEndian, concat, utf8 } from "./bytes.mjs";

export function digest(label, ...parts) {
  const framed = parts.flatMap((p) => [bigEndian(p.length, 4), p]);
  return sha512_256(concat(utf8(label), Uint8Array.of(0), ...framed));
}

export const link = (entryBytes) => sha512_256(entryBytes);
