#!/usr/bin/env node
// node protocol/verifier/cli.mjs FILE...: one JSON line for each transcript or evidence file. With several transcripts,
// one that goes on from another of them is compared with its end (A05, told beside the verdict), and two of one table that
// contradict each other get a line. The only file that uses Node's own API, beside the tests. Exit status: 0 sound or proven,
// 1 not sound, nothing proven, or a difference between files, 2 unreadable or not implemented.

import { readFileSync } from "node:fs";
import { audit, handsBegun } from "./audit.mjs";
import { judgeEvidence } from "./log/evidence.mjs";
import { Refusal } from "./refusal.mjs";
import { checkContinues, earlierEnd } from "./table/continued.mjs";
import { contradictions } from "./table/contradiction.mjs";

const isEvidence = (bytes) => bytes[6] === 0x65;
const STATUS = { sound: 0, proven: 0, "not sound": 1, nothing: 1 };

const judged = process.argv.slice(2).map((file) => {
  const bytes = new Uint8Array(readFileSync(file));
  const { table, ...verdict } = isEvidence(bytes) ? judgeEvidence(bytes) : audit(bytes);
  return { file, bytes, table, verdict };
});

for (const { file, table, verdict } of judged) {
  const after = table?.terms?.after;
  if (verdict.verdict === "sound" && after) {
    const before = earlierEnd(judged, after);
    try {
      if (before) checkContinues(before.table, table);
      verdict.continued = before ? "ok" : "the end of the earlier table is not there: what the players began with rests on their word";
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      verdict.continued = { check: error.check, sentence: error.sentence };
    }
  }
  const more = table?.match && verdict.verdict === "sound" ? { hands: handsBegun(table), tokens: table.match.tokens, code: table.code } : {};
  console.log(JSON.stringify({ file, ...verdict, ...more }));
}
const found = [...contradictions(judged.filter(({ bytes }) => !isEvidence(bytes)))];
for (const { file, other, ...said } of found) console.log(JSON.stringify({ file, contradicts: other, ...said }));
process.exitCode = Math.max(found.length > 0 ? 1 : 0, ...judged.map(({ verdict: v }) => STATUS[v.verdict] ?? 2), ...judged.map(({ verdict: v }) => v.continued?.check ? 1 : 0));
