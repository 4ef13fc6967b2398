// The founder's list (SPEC.md part 3, Gathering; Bots at a table): its digest, whose list it is (W11, W21), and whether the
// names and marks on it are those that this node knows (W31, W30, W32); the same for one visitor who asks for a seat.

import { encode } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { digest } from "../hashes.mjs";
import { verify } from "../signatures.mjs";
import { need } from "../refusal.mjs";
import { alike } from "./alike.mjs";

const without = (map, ...names) => Object.fromEntries(Object.entries(map).filter(([n]) => !names.includes(n)));

// What the founder signs. The guests stand there as `people` (protocol/labelled_hashes.json), since addresses may change
// without anybody's having to sign anew; the word `t` is the message's and not the list's.
export const listed = (list) => ({ ...without(list, "t", "sig", "guests"), people: list.guests.map((g) => without(g, "host", "port")) });
export const listDigest = (list) => digest("p2p304 list", encode(listed(list)));

const bySeat = (list) => (list.rules.seating === "chosen" ? [...list.guests.keys()].sort((a, b) => list.guests[a].seat - list.guests[b].seat) : [...list.guests.keys()]);

// The identifier of the table that follows from a complete list and everybody's pledge, both in the list's order
export function tableOf(list, pledges) {
  const players = bySeat(list).map((i) => ({ ...without(list.guests[i], "host", "port", "seat"), pledge: pledges[i] }));
  const terms = { ...without(list, "t", "sig", "guests", "number", "opening"), players, v: 1 };
  return digest("p2p304 table", encode(terms));
}

export const markSigned = (key, mark) => verify(mark.owner, "p2p304 bot", key, mark.sig);
const sameMark = (a, b) => (!a || !b ? !a && !b : equal(a.owner, b.owner) && equal(a.sig, b.sig));

// `reader`: {me: {key, nick, bot?}, peers: [{key, nick}] (handshakes of its links), founder: the key it asked for a seat}
export function checkList(reader, list) {
  checkSigned(reader, list);
  // The table is full without this node, which leaves: names and marks do not matter any more
  if (!isFull(list) || hasKey(list, reader.me.key)) checkNamesAndMarks(reader, list);
}

export function checkSigned({ founder }, list) {
  const [first] = list.guests;
  need(equal(first.key, founder), "W11", "the list's founder is not its first guest");
  need(verify(first.key, "p2p304 list", listDigest(list), list.sig), "W21", "its founder has not signed the list");
}

export function checkNamesAndMarks(reader, list) {
  checkNames(reader, list.guests);
  for (const guest of list.guests) checkMark(reader, guest);
}

export const isFull = ({ guests, rules }) => guests.length === rules.seats;
export const hasKey = ({ guests }, key) => guests.some((g) => equal(g.key, key));

// Rules, hands, spectators and the earlier table stay as the first list of a gathering says
export const isSameGame = (a, b) => equal(...[a, b].map(({ rules, hands, watch = null, after = null }) => encode([rules, hands, watch, after])));

function checkNames(reader, guests) {
  guests.forEach((a, i) => guests.slice(0, i).forEach((b) => need(!alike(a.nick, b.nick), "W30", "two names on the list are alike")));
  const known = [reader.me, ...reader.peers];
  for (const guest of guests)
    need(known.every(({ key, nick }) => !equal(guest.key, key) || guest.nick === nick), "W31", "a guest has another name than its handshake's");
}

function checkMark(reader, guest) {
  if (guest.bot) need(markSigned(guest.key, guest.bot), "W32", "a bot's mark that its owner has not signed");
  if (equal(guest.key, reader.me.key)) need(sameMark(guest.bot, reader.me.bot), "W32", "the list says of this node what is not true");
}

// A visitor asks the founder for a seat; `visitor` is what its handshake said
export function checkJoin(visitor, join) {
  need(join.nick === visitor.nick, "W31", "the visitor has another name than its handshake's");
  if ("bot" in join) need(markSigned(visitor.key, join.bot), "W32", "a bot's mark that its owner has not signed");
}
