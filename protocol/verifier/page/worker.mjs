// The worker of the page: judges the files that it is sent, one after the other, and tells the page what it finds. All that it
// sends is plain data, so that the page can show it in any language.

import { audit } from "../audit.mjs";
import { judgeEvidence } from "../log/evidence.mjs";
import { Refusal } from "../refusal.mjs";
import { checkContinues, earlierEnd } from "../table/continued.mjs";
import { contradictions } from "../table/contradiction.mjs";
import { Story } from "./story.mjs";

const EVERY = 120; // milliseconds between two reports

const isEvidence = (bytes) => bytes.length > 6 && bytes[6] === 0x65;

// Collects what an audit tells, and sends it now and then
class Reporter extends Story {
  constructor(file, total, start) {
    super();
    Object.assign(this, { file, total, done: start, start, told: 0, news: [] });
  }

  block(table, block) {
    this.news.push({ ...super.block(table, block), at: this.done, size: block.whole.length });
    this.done += block.whole.length;
    if (Date.now() - this.told > EVERY) this.tell();
  }

  hand(table, hand) {
    this.post("hand", { hand: super.hand(table, hand) });
  }

  post(what, more) { postMessage({ what, file: this.file, ...more }); }

  tell() {
    this.told = Date.now();
    this.post("progress", { done: this.done, total: this.total, entries: this.news, table: this.tableOnce() });
    this.news = [];
  }
}

function judge(file, bytes) {
  const began = Date.now(), evidence = isEvidence(bytes);
  const start = evidence && bytes.length >= 12 ? 12 + new DataView(bytes.buffer).getUint32(8) + 8 : 8;
  const reporter = new Reporter(file, bytes.length, start);
  const { table, ...verdict } = evidence ? judgeEvidence(bytes, reporter) : audit(bytes, reporter);
  reporter.tell();
  const last = reporter.unfinished();
  if (last) reporter.post("hand", { hand: last });
  reporter.post("verdict", { verdict: { ...verdict, evidence, milliseconds: Date.now() - began }, end: reporter.end(), proofs: reporter.proofsOf(verdict.place ?? reporter.seq) });
  return { file, bytes, table, verdict };
}

// Which tables go on from which: a pair for each, with the refusal if they do not fit
function compare(judged) {
  for (const { file, table, verdict } of judged) {
    const after = table?.terms?.after;
    if (!after || verdict.verdict !== "sound") continue;
    const before = earlierEnd(judged, after);
    const pair = { file, before: before?.file ?? null, check: null, sentence: null };
    try {
      if (before) checkContinues(before.table, table);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      Object.assign(pair, { check: error.check, sentence: error.sentence });
    }
    postMessage({ what: "continued", ...pair });
  }
  for (const found of contradictions(judged.filter(({ bytes }) => !isEvidence(bytes)))) postMessage({ what: "contradiction", ...found });
}

onmessage = ({ data }) => {
  compare(data.map((buffer, file) => judge(file, new Uint8Array(buffer))));
  postMessage({ what: "over" });
};
