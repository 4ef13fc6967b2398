// Hand records (SPEC.md, Hand records): reads one, plays it, and says where the hand stands and what it was worth.

import { handSize, leftOver, pack, checkOptions } from "./options.mjs";
import { accountName, accounts, accountOf, seatName, seatNamed, seatsOf } from "./table.mjs";
import { preset, presetNames } from "./presets.mjs";
import { actionText, bidText, readAction, readCard } from "./text.mjs";
import { legalActions, newGame, step } from "./game.mjs";
import { claimants } from "./claims.mjs";
import { pointsBySeat, result, trickPoints } from "./result.mjs";
import { readJson } from "./json.mjs";
import { isNotation, readNotation } from "./notation.mjs";
import { must } from "./hand.mjs";

function readRules(rules = "pagat") {
  const own = typeof rules === "string" ? { preset: rules } : rules;
  must(own !== null && typeof own === "object" && !Array.isArray(own), "record.rules", "no rules");
  const name = own.preset ?? "pagat";
  must(presetNames.includes(name), "record.rules", "no such preset");
  const options = { ...preset(name), ...own };
  try { checkOptions(options); } catch (error) { if (error.check === undefined) throw error; must(false, "record.rules", error.message); }
  return options;
}

const FIELDS = ["rules", "dealer", "hands", "pile", "actions"];
export function readRecord(record) {
  const names = Object.keys(record);
  must(names.every((name) => FIELDS.includes(name)) && ["dealer", "hands", "actions"].every((name) => names.includes(name)), "record.fields", "fields are missing or unknown");
  const options = readRules(record.rules);
  const dealer = seatNamed(options, record.dealer);
  must(typeof record.dealer === "string" && dealer >= 0, "record.dealer", "no such dealer");
  const seats = seatsOf(options).map((seat) => seatName(options, seat)), { hands, pile = [] } = record;
  must(hands !== null && typeof hands === "object" && Object.keys(hands).sort().join() === [...seats].sort().join(), "record.seats", "a hand for each seat");
  const cardsOf = (list) => {
    must(Array.isArray(list), "record.cards", "cards are a list");
    return list.map((text) => (typeof text === "string" ? readCard(text) : null));
  };
  const dealt = seats.map((name) => cardsOf(hands[name])), rest = cardsOf(pile), all = [...dealt.flat(), ...rest];
  must(dealt.every((cards) => cards.length === handSize(options)) && rest.length === leftOver(options), "record.cards", "the number of cards is wrong");
  must(all.every((card) => pack(options).includes(card)) && new Set(all).size === all.length, "record.cards", "a card is foreign or stands twice");
  const { actions } = record;
  must(Array.isArray(actions) && actions.length <= 512 && actions.every((text) => typeof text === "string"), "record.actions", "actions are at most 512 texts");
  return { game: newGame(options, dealer, dealt, rest), actions };
}

// One action of a record: an illegal one is thrown as a Refusal with its rule.
export function act(game, text) {
  const action = readAction(game.hand.options, text);
  must(action !== null, "action.form", "this is no action");
  return step(game, action);
}

const byAccount = (options, seats, scale = 1) => {
  const by = Object.fromEntries(accounts(options).map((account) => [accountName(options, account), 0]));
  seats.forEach((value, seat) => { by[accountName(options, accountOf(options, seat))] += value; });
  for (const name of Object.keys(by)) by[name] /= scale;
  return by;
};

// What the trump maker chose; null before. With ask_reveal there is no choice, and play is not open.
function openChoice(hand) {
  if (hand.options.hidden === "ask_reveal") return hand.phase === "play" || hand.phase === "over" ? false : null;
  return hand.choice === null ? null : hand.choice === "open";
}

function contract({ hand, deal }) {
  if (hand.won === null) return null;
  return {
    bid: bidText(hand.options, hand.won.value), by: seatName(hand.options, hand.won.seat), trump: hand.indicator ? deal.indicator[1] : null,
    open: openChoice(hand), shown: hand.trumpsOpen,
  };
}

function resultOf(options, ended) {
  if (ended === null) return null;
  const { change, caps, nextDealer } = ended;
  const tokens = Object.fromEntries(accounts(options).map((account) => [accountName(options, account), change[account]]));
  const shown = caps && { by: seatName(options, caps.by), verdict: caps.verdict, since: caps.since };
  return { tokens, reason: "As the rules say.", caps: shown, next_dealer: seatName(options, nextDealer) };
}

export function standing(game, error = null) {
  const { hand, deal } = game, { options } = hand, over = hand.phase === "over";
  const ended = over ? result(hand, deal) : null, kind = over ? ended.kind : "in_progress";
  const name = (seat) => seatName(options, seat);
  return {
    status: error ? "illegal" : kind, phase: hand.phase, to_act: hand.turn === null ? [] : [name(hand.turn)],
    may_claim: over ? [] : claimants(hand).map(name), legal: legalActions(game).map((action) => actionText(options, action)).sort(),
    contract: contract(game),
    tricks: hand.tricks.map((trick, i) => ({
      leader: name(trick.leader), plays: trick.plays.map((play, j) => `${name(play.seat)} ${play.down ? "~" : ""}${deal.tricks[i][j]}`),
      winner: trick.winner === null ? null : name(trick.winner), points: trick.winner === null ? null : trickPoints(deal, i) / (options.tenths === "on" ? 10 : 1),
    })),
    points: byAccount(options, pointsBySeat(hand, deal), options.tenths === "on" ? 10 : 1), result: resultOf(options, ended), error,
  };
}

const unread = (error) => ({ status: "illegal", phase: null, to_act: [], may_claim: [], legal: [], contract: null, tricks: [], points: null, result: null, error });

function readText(text) {
  must([...text].length <= 65536, "record.size", "more than 65,536 characters");
  return isNotation(text) ? readNotation(text) : readJson(text);
}

// The result of one record, given as text (JSON or 304N) or as a value.
export function score(source) {
  let read;
  try {
    read = readRecord(typeof source === "string" ? readText(source) : source);
  } catch (error) {
    if (!error.rule) throw error;
    return unread({ index: null, action: null, rule: error.rule, message: error.sentence });
  }
  let { game } = read;
  for (const [index, text] of read.actions.entries()) {
    try { game = act(game, text); } catch (error) {
      if (!error.rule) throw error;
      return standing(game, { index, action: [...text].slice(0, 64).join(""), rule: error.rule, message: error.sentence });
    }
  }
  return standing(game);
}
