// The form of every entry's body (SPEC.md part 2, Entries, byte by byte; bounds of messages.schema.json): check W04.

import { hasFields, isBytes, isInt, isMap } from "../canonical.mjs";
import { need } from "../refusal.mjs";

const bytes = (low, high = low) => (v) => isBytes(v) && v.length >= low && v.length <= high;
const text = (low, high) => (v) => typeof v === "string" && v.length >= low && v.length <= high && /^[\x20-\x7e]*$/.test(v);
const int = (low, high) => (v) => isInt(v, low, high);
const list = (of, low, high) => (v) => Array.isArray(v) && v.length >= low && v.length <= high && v.every(of);
const orNil = (of) => (v) => v === null || of(v);

const element = bytes(32), digest = bytes(32), dleq = bytes(64), proof = bytes(1, 16384), card = text(2, 2);
const owed = list(proof, 0, 4), elements = list(element, 1, 40), cards = list(card, 0, 40), dleqs = list(dleq, 0, 40);
const slot = int(-1, 40);
const keys = { shares: list(dleq, 0, 7), ephemeral: orNil(element), ephemeral_knows: orNil(dleq) };

const FORMS = {
  agreement: { terms: isMap, assents: list(dleq, 2, 8) },
  draw: { nonce: digest, box: orNil(element), box_knows: orNil(dleq) },
  shuffle: { key: element, knows: proof, deck: elements, proof, ...keys },
  cut: { at: int(0, 39) },
  unlock: { cards: elements, proof: dleq },
  relock: { joined: list(element, 0, 40), joined_proof: orNil(dleq), key: element, cards: elements, proof, indicator: orNil(element),
    kept: orNil(dleq), ...keys },
  say: { word: text(1, 16) },
  redeal: { cards: list(card, 1, 40), proof: dleq },
  indicator: { slot: int(0, 40) },
  open: { card, proof: dleq },
  closed: { key: element, knows: proof, owed, ...keys },
  play: { slot, card, proof: dleq, owed },
  down: { slot, owed },
  inspect: { e1: element, e2: element, proof },
  announce: { cut: int(0, 1), shown: list(card, 0, 8), shown_proof: orNil(dleq), own: orNil(card), own_proof: orNil(dleq),
    indicator: orNil(card), indicator_proof: orNil(dleq), owed },
  count: { cards, proofs: dleqs, owed },
  caps: { order: list(card, 1, 40), slots: list(slot, 1, 40), down: cards, seen: cards, proofs: dleqs, seen_proof: orNil(dleq) },
  spoilt: {},
  ask: { owed },
  marriage: { suit: text(1, 1), slots: list(slot, 2, 2), proofs: list(dleq, 0, 2) },
  exchange: { slots: list(slot, 2, 2) },
  stand_in: { parts: elements, proof: dleq },
};

export function checkBody(kind, body) {
  const form = Object.hasOwn(FORMS, kind) ? FORMS[kind] : null;
  need(form !== null, "W04", "no such kind of entry");
  need(hasFields(body, ...Object.keys(form)), "W04", `${kind} has other fields`);
  for (const [name, fits] of Object.entries(form)) need(fits(body[name]), "W04", `${kind}.${name} is malformed`);
}
