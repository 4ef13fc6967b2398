// What follows of itself after an entry: batches and drawn cards come out, a hand that is over is settled and the next
// one begins.

import { allShuffled, newHand, right, seatsFrom } from "./hand.mjs";
import { dealOut } from "./deal.mjs";
import { gatheredPack } from "./gathered.mjs";
import { batchesDue } from "./rules.mjs";
import { settle } from "./match.mjs";
import { actAbsent } from "./absent.mjs";

export function beginHand(table, dealer) {
  const last = table.hands[table.hands.length - 1] ?? null;
  const gathered = table.options.shuffle === "minimal" && last ? gatheredPack(last) : null;
  table.hand = newHand(table.T, table.options, (last?.number ?? 0) + 1, dealer, gathered);
}

// Deals what is due; true if something came out
export function dealDue(hand) {
  if (!allShuffled(hand) || !hand.isCut || hand.batch !== null) return false;
  const r = hand.rules, order = seatsFrom(hand, right(hand, hand.dealer));
  if (r.phase !== "over" && hand.batchesOut < batchesDue(r)) {
    dealOut(hand, order, hand.batchSizes[hand.batchesOut++]);
    return true;
  }
  if (hand.exchangeDue !== undefined && hand.exchangeDue !== null) {
    dealOut(hand, [hand.exchangeDue], 2);
    hand.exchangeDue = null;
    return true;
  }
  if (hand.options.stock === "draw" && hand.top < hand.deck.length && r.phase !== "over") {
    const trick = r.tricks[hand.drawnTricks];
    if (trick && trick.winner !== null) {
      hand.drawnTricks += 1;
      dealOut(hand, seatsFrom(hand, trick.winner), 1);
      return true;
    }
  }
  return false;
}

export function advance(table) {
  if (table.absent !== null) return actAbsent(table);
  while (dealDue(table.hand));
}

// A hand that is over is settled once its last entry has its receipts
export function handOver(table) {
  const hand = table.hand;
  if (hand === null || table.over || hand.rules.phase !== "over") return;
  table.hands.push(hand);
  table.match = settle(table.match, hand);
  table.observer?.hand(table, hand);
  if (table.match.over || table.absent !== null) {
    table.over = true;
    table.hand = null;
  } else beginHand(table, table.match.dealer);
}
