// 304N (SPEC.md, 304N): a hand record as one line of text. Only read here; what a record may hold is record.mjs's.

import { must } from "./hand.mjs";
import { checkOptions } from "./options.mjs";
import { preset, presetNames } from "./presets.mjs";
import { seatName, seatsOf } from "./table.mjs";

const MARK = "304N ";
const trimmed = (line) => line.replace(/^[ \r\n]+|[ \r\n]+$/g, "");
export const isNotation = (text) => trimmed(text).startsWith(MARK);
const need = (condition, sentence) => must(condition, "record.json", sentence);

function readRules([name, ...changes]) {
  need(presetNames.includes(name), "no such preset");
  const changed = {};
  for (const change of changes) {
    const [option, ...rest] = change.split("="), written = rest.join("=");
    need(rest.length > 0 && Object.hasOwn(preset(name), option) && option !== "preset" && !Object.hasOwn(changed, option), "no option, or twice");
    changed[option] = /^(0|[1-9][0-9]*)$/.test(written) ? Number(written) : written;
  }
  const options = { ...preset(name), ...changed };
  try { checkOptions(options); } catch (error) { if (error.check === undefined) throw error; need(false, error.message); }
  return { options, rules: changes.length > 0 ? { preset: name, ...changed } : name };
}

function readCards(text) {
  const characters = [...text];
  need(characters.length % 2 === 0, "a card has two characters");
  return characters.filter((_, i) => i % 2 === 0).map((c, i) => c + characters[2 * i + 1]).map((card) => (card === "??" ? null : card));
}

// The record that a line says; a line that is no 304N is record.json
export function readNotation(line) {
  need(isNotation(line), "another beginning");
  const [head, dealer, ...fields] = trimmed(line).split("; ");
  const { options, rules } = readRules(head.slice(MARK.length).split(" "));
  const order = seatsOf(options).map((seat) => seatName(options, seat));
  need(order.some((seat) => dealer === `dealer ${seat}`), "no dealer");
  const record = { rules, dealer: dealer.slice("dealer ".length), hands: {} };
  for (const seat of order) {
    const field = fields.shift();
    need(field?.startsWith(`${seat} `), "no hand at its place");
    record.hands[seat] = readCards(field.slice(seat.length + 1));
  }
  if (fields[0]?.startsWith("pile ")) record.pile = readCards(fields.shift().slice("pile ".length));
  need(fields.length <= 1, "something stands behind the actions");
  const after = (seat) => order[(order.indexOf(seat) + 1) % order.length];
  let seat = record.dealer;
  record.actions = (fields[0]?.split(", ") ?? []).map((said) => {
    const [first, ...words] = said.split(" ");
    const text = order.includes(first) && words.length > 0 ? said : `${after(seat)} ${said}`;
    seat = text.split(" ")[0];
    return text;
  });
  return record;
}
