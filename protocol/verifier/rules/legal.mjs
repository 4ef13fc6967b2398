// All actions of the seat whose turn it is (claims apart), where its cards are known.

import { SUITS, pack } from "./options.mjs";
import { judgeRedeal, judgeWord, wordsToTry } from "./bidding.mjs";
import { judgeAskForTrumps, legalPlays } from "./plays.mjs";
import { judgeDouble, judgeMarriage } from "./extras.mjs";
import { isStuck } from "./apply.mjs";

const allowed = (judge) => { try { judge(); return true; } catch (error) { if (error.rule === undefined) throw error; return false; } };

const pairs = (cards) => cards.flatMap((a, i) => cards.slice(i + 1).map((b) => [a, b]));

const BY_PHASE = {
  bid(hand, seat, view) {
    const actions = wordsToTry(hand).filter((word) => allowed(() => judgeWord(hand, word))).map((word) => ({ seat, kind: "say", word }));
    if (allowed(() => judgeRedeal(hand, view.hands[seat]))) actions.push({ seat, kind: "redeal" });
    return actions;
  },
  trump: (hand, seat, view) => view.hands[seat].map((card) => ({ seat, kind: "indicator", card })),
  partner: (hand, seat) => pack(hand.options).map((card) => ({ seat, kind: "say", word: `partner ${card}` })),
  exchange: (hand, seat, view) =>
    [{ seat, kind: "say", word: "keep" }, ...pairs(pack(hand.options).filter((card) => view.hands[seat].includes(card))).map((cards) => ({ seat, kind: "exchange", cards }))],
  declare(hand, seat, view) {
    const open = hand.options.open_trump === "on";
    return [...(open ? [{ seat, kind: "open", card: view.indicator }] : []), ...(open && isStuck(hand, view) ? [] : [{ seat, kind: "closed" }])];
  },
  play(hand, seat, view) {
    const actions = legalPlays(hand, seat, view);
    if (allowed(() => judgeAskForTrumps(hand, seat, view))) actions.push({ seat, kind: "ask" });
    if (allowed(() => judgeDouble(hand))) actions.push({ seat, kind: "say", word: "double" });
    for (const suit of SUITS) if (allowed(() => judgeMarriage(hand, { seat, suit }, view))) actions.push({ seat, kind: "marriage", suit });
    return actions;
  },
};
const GROUP = { bid4: "bid", bid8: "bid", trump4: "trump", trump8: "trump", partner: "partner", exchange: "exchange", declare: "declare", play: "play" };

export const legal = (hand, seat, view) => (GROUP[hand.phase] ? BY_PHASE[GROUP[hand.phase]](hand, seat, view) : []);
