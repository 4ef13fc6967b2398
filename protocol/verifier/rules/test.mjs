// node --test rules/test.mjs: the two contracts of the rules. Every hand record of protocol/vectors/rules gives the result that stands
// there, and every count of protocol/perft up to LIMIT sequences is counted again (PERFT=20000 counts nearly all, in some minutes).

import test from "node:test";
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { score } from "./record.mjs";
import { count, gameOf } from "./perft.mjs";
import { preset, presetNames } from "./presets.mjs";
import { checkOptions, VALUES } from "./options.mjs";
import { newMatch, settleLost } from "./match.mjs";

// the contract beside this verifier, or the copy that the specification's readers have
const ROOT = [process.env.PROTOCOL, new URL("../..", import.meta.url).pathname, "/tmp/blind/spec/protocol/"].find((path) => path && existsSync(`${path}/presets.json`));
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
