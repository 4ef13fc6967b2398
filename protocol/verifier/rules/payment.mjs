// What a hand pays (SPEC.md, Payment and violation.worst): amounts, and who pays whom. Amounts are tokens, or points with score=online.

import { special200, special250 } from "./options.mjs";
import { isNamed } from "./hand.mjs";
import { accounts, accountOf, arePartners, seatsOf } from "./table.mjs";

const TOKENS = { low: [1, 2], middle: [2, 3], high: [3, 4], all304: [3, 4], named: [4, 5] };
const ONLINE = { low: [5, 3], middle: [6, 5], high: [6, 5], all304: [10, 7], named: [6, 5] };

function band(options, value) {
  if (isNamed(value)) return "named";
  if (value === 304 && options.bid304 === "on") return "all304";
  if (value >= special250(options)) return "high";
  return value >= special200(options) ? "middle" : "low";
}
const row = (options, value) => (options.score === "online" ? ONLINE : TOKENS)[band(options, value)];
export const wonFor = (options, value) => row(options, value)[0];
export const lostFor = (options, value) => row(options, value)[1];

export const nothing = (options) => Object.fromEntries(accounts(options).map((account) => [account, 0]));
const nobodyPays = (options) => options.score === "online";
const nobodyGets = (options) => options.match === "bank";

// `losers` pay `winners`, lists of seats that are two sides of the hand. A seat that stands alone plays with each of the others.
export function transfer(options, losers, winners, amount) {
  const change = nothing(options);
  const add = (seat, what) => { change[accountOf(options, seat)] += what; };
  if (options.partner === "across") {
    if (!nobodyPays(options)) add(losers[0], -amount);
    if (!nobodyGets(options)) add(winners[0], amount);
    return change;
  }
  const timesOf = (side, others) => (side.length === 1 ? others.length : 1);
  if (!nobodyPays(options)) for (const seat of losers) add(seat, -amount * timesOf(losers, winners));
  if (!nobodyGets(options)) for (const seat of winners) add(seat, amount * (nobodyPays(options) ? 1 : timesOf(winners, losers)));
  return change;
}

// Without partners across the table the offender pays every other player, and nobody else pays.
export function violationTransfer(options, seat, amount) {
  const others = seatsOf(options).filter((other) => other !== seat && !arePartners(options, other, seat));
  return transfer(options, options.partner === "across" ? seatsOf(options).filter((other) => !others.includes(other)) : [seat], others, amount);
}

// What a violation of `seat` gives: what the other side would have won, at least what the offender's side may still owe, and 2.
// `isMakers`: whether the seat is on the trump maker's side; hand null before there is a bid.
export function violationAmount(options, hand, seat, isMakers) {
  const bid = hand === null ? null : hand.bid;
  if (bid === null || bid === undefined) return Math.max(2, wonFor(options, options["bid.min"]));
  const ownSide = (other) => other === seat || arePartners(options, other, seat);
  const amounts = [isMakers ? lostFor(options, bid.value) : wonFor(options, bid.value)];
  if (hand.doubled !== null) amounts.push((isMakers || ownSide(hand.doubled) ? lostFor(options, bid.value) : wonFor(options, bid.value)) + 1);
  if (hand.caller !== null && ownSide(hand.caller.seat)) amounts.push(5);
  const wonAll = hand.tricks.every((trick) => trick.winner === null || !ownSide(trick.winner));
  const mayCall = hand.caller === null || (hand.caller.ended && !ownSide(hand.caller.seat)); // once a call binds, nobody can be owed the eight
  if (isMakers && options.external_caps === 8 && options.caps !== "off" && !hand.allTricks && wonAll && mayCall) amounts.push(8);
  return Math.max(...amounts) + 2;
}
