// Transcript files (SPEC.md part 3): the eight bytes, then a block for each place. What cannot be read is Unreadable.

import { decode, hasFields, isBytes } from "../canonical.mjs";
import { equal, numberBE } from "../bytes.mjs";
import { Refusal, Unreadable } from "../refusal.mjs";
import { isAuthor, isClaim, readEntry } from "./messages.mjs";

const MAGIC = Uint8Array.of(0x70, 0x32, 0x70, 0x33, 0x30, 0x34, 0, 1);
const MAX_BLOCK = 128 * 1024;

// Blocks one by one, so that a check may fail before an unreadable block is come to
export function* readBlocks(file) {
  if (file.length < 8 || !equal(file.subarray(0, 8), MAGIC)) throw new Unreadable("this is no transcript");
  for (let at = 8; at < file.length;) {
    if (at + 4 > file.length) throw new Unreadable("a block is cut off");
    const size = Number(numberBE(file.subarray(at, at + 4)));
    if (size > MAX_BLOCK) throw new Unreadable("a block is too long");
    if (at + 4 + size > file.length) throw new Unreadable("a block is cut off");
    yield { ...readBlock(file.slice(at + 4, at + 4 + size)), whole: file.slice(at, at + 4 + size) };
    at += 4 + size;
  }
}

function readBlock(bytes) {
  try {
    const map = decode(bytes);
    if (hasFields(map, "entry", "receipts") && isBytes(map.entry) && Array.isArray(map.receipts) && map.receipts.every(isReceipt))
      return { entry: readEntry(map.entry), receipts: map.receipts };
    if (hasFields(map, "entry", "parts") && isBytes(map.entry) && Array.isArray(map.parts) && map.parts.every(isPart))
      return { entry: readEntry(map.entry), parts: map.parts };
  } catch (error) {
    throw new Unreadable(error instanceof Refusal ? error.sentence : error.message);
  }
  throw new Unreadable("a block has other fields");
}

const isReceipt = (r) => hasFields(r, "author", "claim", "sig") && isAuthor(r.author) && isClaim(r.claim) && isBytes(r.sig, 64);
const isPart = (p) => hasFields(p, "author", "sig") && isAuthor(p.author) && isBytes(p.sig, 64);
