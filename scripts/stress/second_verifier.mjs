// The second verifier as one long-living process, for comparisons of many files. Each line read is a JSON object, and each is
// answered by one line:
//   {base}         a transcript, judged; the table before each of its blocks is kept
//   {place, rest}  the blocks of the last base before this place, then these bytes
//   {file}         a transcript or an evidence file
// All bytes are in base64.

import { createInterface } from "node:readline";
import { audit, handsBegun } from "../../protocol/verifier/audit.mjs";
import { Element } from "../../protocol/verifier/crypto/group.mjs";
import { judgeEvidence } from "../../protocol/verifier/log/evidence.mjs";
import { Table } from "../../protocol/verifier/table/table.mjs";

const MAGIC = Uint8Array.of(0x70, 0x32, 0x70, 0x33, 0x30, 0x34, 0, 1);
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));

// What nothing changes is shared with the copy: elements, bytes, states of the rules and of the match, entries, terms
const SHARED = new Set(["rules", "options", "terms", "match", "last", "observer", "M", "nameOf"]);

function copy(value, done = new Map()) {
  if (value === null || typeof value !== "object" || value instanceof Uint8Array || value instanceof Element) return value;
  if (done.has(value)) return done.get(value);
  if (value instanceof Map) {
    const out = new Map();
    done.set(value, out);
    for (const [k, v] of value) out.set(k, copy(v, done));
    return out;
  }
  if (value instanceof Set) return new Set(value);
  const out = Array.isArray(value) ? [] : Object.create(Object.getPrototypeOf(value));
  done.set(value, out);
  for (const key of Object.keys(value)) out[key] = SHARED.has(key) ? value[key] : copy(value[key], done);
  return out;
}

function answer({ table, ...verdict }) {
  const more = verdict.verdict === "sound" && table?.match
    ? { hands: handsBegun(table), tokens: table.match.tokens, cards: table.match.cards, games: table.match.games, code: table.code } : {};
  return { ...verdict, ...more };
}

let before = [];

function base(file) {
  before = [new Table()];
  return audit(file, { proof() {}, entry() {}, hand() {}, block(table) { before.push(copy(table)); } });
}

function judge({ base: whole, place, rest, file }) {
  if (whole !== undefined) return base(bytes(whole));
  if (rest !== undefined) return audit(new Uint8Array([...MAGIC, ...bytes(rest)]), null, copy(before[place]));
  const data = bytes(file);
  return data[6] === 0x65 ? judgeEvidence(data) : audit(data);
}

for await (const line of createInterface({ input: process.stdin })) console.log(JSON.stringify(answer(judge(JSON.parse(line)))));
