// node --test rules/test.mjs: the two contracts of the rules. Every hand record of protocol/vectors/rules gives the result that stands
// there, and every count of protocol/perft up to LIMIT sequences is counted again (PERFT=20000 counts nearly all, in some minutes).

import test from "node:test";
import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { readNotation } from "./notation.mjs";
import { apply } from "./apply.mjs";
import { readRecord, score } from "./record.mjs";
import { readAction } from "./text.mjs";
import { count, gameOf } from "./perft.mjs";
import { preset, presetNames } from "./presets.mjs";
import { checkOptions, VALUES } from "./options.mjs";
import { newMatch, settleLost } from "./match.mjs";

// the contract beside this verifier, or another copy of it
const ROOT = process.env.PROTOCOL ?? new URL("../..", import.meta.url).pathname;
const LIMIT = Number(process.env.PERFT ?? 500);
const read = (path) => JSON.parse(readFileSync(`${ROOT}/${path}`, "utf8"));
const filesIn = (folder) => readdirSync(`${ROOT}/${folder}`).filter((name) => name.endsWith(".json")).sort();

const listOf = (values) => (Array.isArray(values) ? values :
  [...("or" in values ? [values.or] : []), ...Array.from({ length: values.to - values.from + 1 }, (_, i) => values.from + i)]);

// What `expect` does not name is not compared.
function agrees(want, got, path = "") {
  if (want === null || typeof want !== "object") return assert.deepEqual(got, want, path);
  if (Array.isArray(want)) assert.equal(got?.length, want.length, `${path}.length`);
  for (const [name, value] of Object.entries(want)) agrees(value, got?.[name], `${path}.${name}`);
  return undefined;
}

for (const file of filesIn("vectors/rules")) {
  test(`vectors/rules/${file}`, async (t) => {
    const cases = read(`vectors/rules/${file}`);
    for (const { rule, note, record, line, expect } of cases) {
      await t.test(`${rule}: ${note}`, () => agrees(expect, score(line ?? record)));
    }
  });
}

for (const { comment, line, record, rule, index = null } of read("notation.json")) {
  test(`notation: ${comment}`, () => {
    if (record === null) assert.throws(() => readNotation(line), (error) => error.rule === "record.json");
    else assert.deepEqual(readNotation(line), record);
    assert.deepEqual([score(line).error?.rule ?? null, score(line).error?.index ?? null], [rule, index]);
  });
}

for (const [file, { records }] of Object.entries(read("records.json"))) {
  test(`records of ${file}`, () => {
    for (const line of records) {
      const { status, error } = score(line);
      if (line.includes("?")) assert.equal(error.rule, line.includes("??") ? "record.cards" : "action.form");
      else assert.ok(["complete", "void"].includes(status), line);
    }
  });
}

for (const file of filesIn("perft")) {
  test(`perft/${file}`, (t) => {
    let counted = 0, left = 0;
    for (const { start, record, counts } of read(`perft/${file}`)) {
      const game = gameOf(record);
      counts.forEach((want, i) => {
        if (want > LIMIT) { left += 1; return; }
        counted += 1;
        assert.equal(count(game, i + 1), want, `${start}, ${i + 1} actions`);
      });
    }
    t.diagnostic(`${counted} counts agree; ${left} over ${LIMIT} not counted`);
  });
}

test("presets and values are those of presets.json", () => {
  const { values, presets } = read("presets.json");
  assert.deepEqual(presetNames.toSorted(), Object.keys(presets).sort());
  for (const name of presetNames) assert.deepEqual(preset(name), presets[name].options ?? presets[name], name);
  for (const [name, list] of Object.entries(values)) assert.deepEqual([...VALUES[name]].sort(), listOf(list).sort(), name);
});

test("options that presets.json refuses are refused, and the others are not", () => {
  const { values, refused } = read("presets.json");
  for (const name of presetNames) {
    for (const [option, list] of Object.entries(values)) {
      for (const value of listOf(list)) {
        const map = { ...preset(name), [option]: value };
        const isRefused = (refused[name]?.[option] ?? []).includes(value);
        if (isRefused) assert.throws(() => checkOptions(map), `${name} ${option}=${value}`);
        else assert.doesNotThrow(() => checkOptions(map), `${name} ${option}=${value}`);
      }
    }
  }
});

// SPEC.md, Checks of a kind: what stands before G01 keeps the rest away, so no transcript shows it all
test("an announcement is judged by what it turns up, never by the suit led", () => {
  const { game } = readRecord(read("vectors/rules/claims.json")[0].record);
  const said = "E 160, N pass, W pass, S pass, E trump JS, E pass, N pass, W pass, S pass, E closed, E AC, N ~AD, W ~JH, S JC";
  const unseen = { hands: game.deal.dealt.map((cards) => cards.map(() => null)), indicator: null };
  const step = (hand, text) => apply(hand, { indicator: false, ...readAction(hand.options, text) }, unseen);
  const hand = said.split(", ").reduce(step, game.hand);
  const says = (words) => apply(hand, { seat: hand.maker, kind: "announce", shown: [], own: null, indicator: null, ...words }, unseen);
  assert.equal(says({ shown: ["TC", "AS"], indicator: "JS" }).tricks[0].winner, 3);
  assert.equal(says({}).trumpsOpen, false);
  for (const [rule, words] of [
    ["announce.show", { shown: ["TC"] }],
    ["announce.none", { indicator: "JS" }],
    ["announce.all", { shown: ["AS"], indicator: "JS" }],
    ["announce.all", { shown: ["AD", "JH"], own: "QD", indicator: "JS" }],
    ["announce.none", { shown: ["AD", "JH"], indicator: "JS" }],
  ]) assert.throws(() => says(words), (error) => error.rule === rule, rule);
});

test("in tenths a violation gives every card point to the other side, or to each other player", () => {
  for (const [options, cards, games] of [
    [preset("tenths"), [0, 0], [1, 0]],
    [{ ...preset("maharashtra"), tenths: "on" }, [304, 0, 304, 304], [0, 0, 0, 0]],
  ]) {
    const hand = { options, bid: null, won: null, maker: null, called: null, caller: null, doubled: null, tricks: [], dealer: 0 };
    const match = settleLost(newMatch(options, 0), hand, 1);
    assert.deepEqual([match.cards, match.games], [cards, games]);
  }
});
