// Who has the floor, and which kinds are due (SPEC.md part 2, Which duty comes first). Answers {player, kinds}.

import { allShuffled, left, right } from "./hand.mjs";
import { kinds as rulesKinds, mayClaim } from "./rules.mjs";
import { owesInspection } from "./plays.mjs";
import { standInDue } from "./absent.mjs";

// The claims on the receipts for the last entry that count, in the order of seats from the right of the entry's author
export function claimThatCounts(table) {
  if (table.claims.length === 0 || table.hand === null) return null;
  const from = table.seatOf[table.lastAuthor], n = table.n;
  const order = (c) => (table.seatOf[c.author] - from + n) % n;
  return [...table.claims].sort((a, b) => order(a) - order(b))[0];
}

export function floor(table, withClaims = true) {
  const nobody = { player: null, kinds: [] };
  if (table.over) return nobody;
  if (table.seq === 0) return { player: 0, kinds: ["agreement"] };
  if (table.seatOf === null) return { player: table.nonces.length, kinds: ["draw"] };
  const hand = table.hand;
  const seat = (s, ...kinds) => ({ player: table.playerOf[s], kinds });
  const standIn = standInDue(table);
  if (standIn !== null) return seat(standIn, "stand_in");
  if (withClaims) {
    const claim = claimThatCounts(table);
    if (claim) return { player: claim.author, kinds: [claim.claim] };
  }
  if (!allShuffled(hand)) return seat(right(hand, hand.dealer, hand.shuffles % hand.n), "shuffle");
  if (!hand.isCut) return seat(left(hand, hand.dealer), "cut");
  if (hand.batch) return seat(hand.batch.waiting[0], "unlock");
  if (hand.relocks.length) return seat(hand.relocks[0], "relock");
  const r = hand.rules;
  if (r.phase === "announce") {
    const owes = owesInspection(hand);
    if (owes.length) return seat(owes[0], "inspect");
  }
  if (r.turn === null) return nobody;
  // nobody claims while a hand is played out (playout.claims)
  return seat(r.turn, ...rulesKinds(r).filter((k) => table.absent === null || (k !== "caps" && k !== "spoilt")));
}

// Who may claim what on the receipts for the last entry: {caps: [seats], spoilt: [seats]}
export function openClaims(table) {
  const none = { caps: [], spoilt: [] };
  const hand = table.hand;
  if (table.over || hand === null || table.absent !== null || !allShuffled(hand) || !hand.isCut || hand.batch || hand.relocks.length) return none;
  return mayClaim(hand.rules);
}
