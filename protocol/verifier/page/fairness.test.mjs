// node --test page/fairness.test.mjs: the counts of the page beside those of `p2p304 fairness`, on files of protocol/ and on simulated
// deals. PYTHON names a Python that has p2p304.

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { audit } from "../audit.mjs";
import { band, collections, isOutside, tablesOf, widthFor } from "./fairness.mjs";
import { Story } from "./story.mjs";

const root = fileURLToPath(new URL("../../../", import.meta.url));
const python = (args) => JSON.parse(execFileSync(process.env.PYTHON ?? "python3", args, { cwd: root, encoding: "utf8" }));
const NAMES = ["good", "ended", "lost", "rejected", "caps-early", "pcc", "half-court", "exchange", "called-partner", "played-out", "unfinished", "stock", "six-24"];

// A file as the page has it after its verdict
function judged(name) {
  const story = new Story(), hands = [], { hand } = story;
  story.proof = () => {};
  story.hand = (table, settled) => { hands.push(hand.call(story, table, settled)); };
  const { table: _, ...verdict } = audit(new Uint8Array(readFileSync(`${root}protocol/transcripts/${name}.304`)), story);
  const last = story.unfinished();
  return { name, hands: last ? [...hands, last] : hands, table: story.end()?.table ?? null, verdict };
}

const holderOf = ({ by, holder }, seats) => (by === "seat" ? (seats === 4 ? "SENW"[holder] : String(holder + 1)) : holder === seats - 1 ? "dealer" : String(holder + 1));
const WORDS = { J: "jacks", 9: "nines" };

// Jacks and nines are compared one by one; a suit at a seat is the sum of its cards there
function agree(one, other) {
  assert.deepEqual([one.tables, one.seen, one.hands.length - one.seen], [other.tables, other.seen, other.unseen]);
  let compared = 0;
  for (const row of one.rows) {
    const holder = holderOf(row, one.seats), word = WORDS[row.of];
    if (!word && row.by === "place") continue;
    const cards = other.cards.filter((c) => c.holder === holder && c.of.endsWith(row.of));
    const theirs = word ? other.counts.find((c) => c.of === word && c.by === row.by && c.holder === holder) : { count: cards.reduce((n, c) => n + c.count, 0), mean: cards.reduce((n, c) => n + c.mean, 0) };
    assert.equal(row.count, theirs.count, `${row.of} ${row.by} ${holder}`);
    assert.ok(Math.abs(row.expected - theirs.mean) < 1e-9, `${row.of} ${row.by} ${holder}`);
    compared += 1;
  }
  assert.equal(compared, 8 * one.seats);
}

const files = NAMES.map(judged);

test("the counts are those of p2p304 fairness", () => {
  const found = collections(tablesOf(files).tables);
  const theirs = python(["-m", "p2p304", "fairness", "--json", ...NAMES.map((name) => `protocol/transcripts/${name}.304`)]).collections.filter((one) => one.seats >= 4);
  assert.equal(found.length, theirs.length);
  assert.ok(found.some((one) => one.hands.length > one.seen && one.seen > 0));
  for (const one of found) agree(one, theirs.find((other) => other.seats === one.seats && other.pack === one.cards.length));
});

test("each table counts once, with the file of which most was dealt; what is no fair sample is left out", () => {
  const good = files[0], short = { ...good, name: "short", hands: [] }, other = (more) => ({ ...good, ...more });
  for (const pair of [[good, short], [short, good]]) {
    const { tables, left } = tablesOf(pair);
    assert.deepEqual([tables.map((one) => one.file), left], [[good], [{ file: short, why: "fairness_copy" }]]);
  }
  const minimal = other({ table: { ...good.table, options: { ...good.table.options, shuffle: "minimal" } } });
  assert.deepEqual(tablesOf([minimal, files[11], other({ verdict: { verdict: "not sound" } })]).left.map(({ why }) => why), ["fairness_minimal", "fairness_seats"]);
  // a hand that is not over is unseen, and one that was not cut was not dealt
  const hand = (more) => tablesOf([other({ hands: [{ ...good.hands[0], ...more }] })]).tables[0].hands.map((one) => one.cards !== null);
  assert.deepEqual([hand({}), hand({ tokens: null }), hand({ dealt: false })], [[true], [false], []]);
});

const SIMULATED = `
import json
from dataclasses import replace
from p2p304.offline.fairness.counts import collections, counts
from p2p304.rules.variants.presets import preset
from tests.support.simulated_deals import hands, honest, rejects_first_hands, table, takes_all_jacks, nothing
def data(stack, hide):
    rules = preset("pagat")
    one = table(rules, tuple(hands(rules, 80, 304, (honest,) * 8, stack, hide)))
    found = collections([one])
    rows = counts(found)[0]
    return {
        "hands": [{"dealer": h.dealer, "cards": h.cards and [[c.name for c in own] for own in h.cards]} for h in one.hands],
        "rows": [{"of": r.of, "by": r.by, "holder": r.holder, "count": r.count, "least": r.least, "most": r.most} for r in rows],
    }
print(json.dumps([data(nothing, rejects_first_hands), data(takes_all_jacks, lambda r, d, c: r.random() < 0.1)]))
`;

test("the bands are those of p2p304 fairness, if they are as many, whatever is unseen", () => {
  const [honest, stacked] = python(["-c", SIMULATED]), { options } = files[0].table;
  for (const { hands, rows } of [honest, stacked]) {
    const [one] = collections([{ options, hands }]), width = widthFor(rows.filter((row) => row.least !== null).length);
    assert.ok(one.seen < 80 && one.seen > 40);
    for (const row of one.rows.filter((r) => WORDS[r.of])) {
      const theirs = rows.find((r) => r.of === WORDS[row.of] && r.by === row.by && r.holder === holderOf(row, 4));
      assert.deepEqual([row.count, Object.values(band(one, row.share, width))], [theirs.count, [theirs.least, theirs.most]]);
    }
  }
  const outside = ({ hands }) => collections([{ options, hands }])[0].rows.filter(isOutside).map((row) => row.of);
  assert.deepEqual(outside(honest), []);
  assert.ok(outside(stacked).length > 0 && outside(stacked).every((of) => of === "J"));
});
