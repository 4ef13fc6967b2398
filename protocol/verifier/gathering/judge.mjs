// The check that refuses a message of the gathering (a LOBBY frame's payload; SPEC.md part 3, Gathering and Passphrase), or
// null. What a message means depends on who reads it, so the reader is given:
// {role: "founder" | "visitor" | "guest" | "member", me: {key, nick, bot?}, peers: [{key, nick}], peer: {key, nick} (the
//  sender), founder: the key of the list's keeper, list and first: see checkHeld, visitor: see the visitor below}.
// A message that does not concern the reader's role is passed over: no number of SPEC.md refuses it. What else becomes of one
// is told where the reader's state is given (`outcomeOfGathering`).

import { concat, equal } from "../bytes.mjs";
import { isKey, verify } from "../signatures.mjs";
import { need, Refusal } from "../refusal.mjs";
import { checkJoin, checkList, checkNamesAndMarks, checkSigned, hasKey, isFull, isSameGame, listDigest } from "./list.mjs";
import { founderAnswers, memberDoes } from "./answers.mjs";
import { readLobby } from "./messages.mjs";

const pledgeOf = (held) => held.subarray(0, 32);

// What a member holds of the complete list: pledges and signatures fit the list and are signed by their authors (W20), and
// nobody has pledged twice for it (W22).
// `list`: {digest, keys, table: (pledges) => identifier}; `first`: the pledge of each guest that this node took first, by
// number, its own included. A message about a list that has not come is kept, not refused: it can be judged only later.
// The judging goes on after W22: what is found later in the message is its `then`.
function checkHeld(reader, held) {
  const twice = [];
  try { checkHoldings(reader, held, twice); } catch (error) {
    if (twice.length === 0 || !(error instanceof Refusal)) throw error;
    twice[0].then = error.check;
  }
  if (twice.length > 0) throw twice[0];
}

function checkHoldings({ list, first, me }, held, twice) {
  if (!equal(held.list, list.digest)) return;
  const { digest, keys, table } = list;
  need(held.pledges.length === keys.length, "W20", "not a pledge for every guest");
  const pledges = keys.map((key, i) => {
    const [kept, made] = [first[i], held.pledges[i]];
    if (made.length === 0 || (kept && equal(kept, pledgeOf(made)))) return kept;
    need(verify(key, "p2p304 pledged", concat(digest, pledgeOf(made)), made.subarray(32)), "W20", `guest ${i} has not signed its pledge`);
    if (!kept && !equal(key, me.key)) return pledgeOf(made);
    twice.push(new Refusal("W22", `guest ${i} has pledged twice for one list`));
    return kept;
  });
  if (held.table.length === 0 || twice.length > 0 || !pledges.every(Boolean)) return;
  need(equal(table(pledges), held.table), "W20", "the table does not follow from list and pledges");
  held.assents.forEach((a, i) => need(a.length === 0 || verify(keys[i], "p2p304 assent", held.table, a), "W20", `guest ${i} has not signed the agreement`));
}

const LETTERS = { founder: 0x41, visitor: 0x42 };

// An exchange is a letter and a point of the prime-order group in its one encoding, not the identity, which is what SPEC.md
// also asks of a public key. The letter says whose side it is, so that nobody can reflect what it got. `side` has sent this one.
function checkExchange(side, exchange) {
  need(exchange.length === 33 && exchange[0] === LETTERS[side], "W10", `it is not the ${side}'s side of the exchange`);
  need(isKey(exchange.subarray(1)), "W10", "the exchange is no point of the group");
}

// `visitor`: {passphrase: whether it was told one, answered: the exchange of the `locked` that it has answered, or null, proof: the
// founder's proof that it then awaits, proven: whether that has come, list: the list that it has, or null}.
const [TAKEN, PASSED, ANSWERED, LEAVES] = ["taken", "passed over", "answered", "leaves"];

const fromFounder = ({ peer, founder }) => equal(peer.key, founder);

function onLocked(reader, { exchange }) {
  const { visitor, me } = reader;
  if (!fromFounder(reader)) return PASSED;
  if (visitor.list) return hasKey(visitor.list, me.key) ? PASSED : LEAVES;
  if (!visitor.passphrase || (visitor.answered !== null && !equal(visitor.answered, exchange))) return LEAVES;
  checkExchange("founder", exchange);
  return ANSWERED;
}

function onUnlocked(reader, { proof }) {
  const { visitor } = reader;
  if (!fromFounder(reader) || visitor.list) return PASSED;
  return visitor.answered !== null && equal(visitor.proof, proof) ? TAKEN : LEAVES;
}

function onList(reader, offered) {
  const { visitor: { passphrase, proven, answered, list } } = reader;
  if (fromFounder(reader)) {
    if (passphrase && !proven) return answered === null ? LEAVES : PASSED;
  } else if (!list || !equal(list.opening, offered.opening) || equal(listDigest(list), listDigest(offered))) return PASSED;
  checkSigned(reader, offered);
  if (list && equal(list.opening, offered.opening)) {
    if (offered.number < list.number) return PASSED;
    if (offered.number === list.number && !equal(listDigest(list), listDigest(offered))) return LEAVES;
  }
  if (isFull(offered) && !hasKey(offered, reader.me.key)) return LEAVES;
  if (list && !isSameGame(list, offered)) return LEAVES;
  checkNamesAndMarks(reader, offered);
  return TAKEN;
}

function visit(reader, m) {
  switch (m.t) {
    case "locked": return onLocked(reader, m);
    case "unlocked": return onUnlocked(reader, m);
    case "seated": return onList(reader, m);
    case "full": return fromFounder(reader) ? LEAVES : PASSED;
    default: return PASSED;
  }
}

function take(reader, m) {
  if (reader.visitor) return visit(reader, m);
  const founder = reader.role === "founder";
  switch (m.t) {
    case "join": return founder ? checkJoin(reader.peer, m) : undefined;
    case "key": return founder ? checkExchange("visitor", m.exchange) : undefined;
    case "locked": return founder ? undefined : checkExchange("founder", m.exchange);
    case "seated": return founder ? undefined : checkList(reader, m);
    case "held": return reader.list ? checkHeld(reader, m) : undefined;
    default: return undefined;
  }
}

function become(reader, m) {
  if (reader.visitor) return visit(reader, m);
  take(reader, m);
  return reader.founded ? founderAnswers(reader, m) : memberDoes(reader, m);
}

// What becomes of a message: at a visitor or guest "taken", "passed over", "answered" or "leaves"; at a founder and a member as
// answers.mjs says; "refused" ends the link, and W10 makes a visitor leave, too
export function outcomeOfGathering(reader, payload) {
  try { return become(reader, readLobby(payload)); } catch (error) {
    if (error instanceof Refusal) return reader.visitor && error.check === "W10" ? "refused, and leaves" : "refused";
    throw error;
  }
}

// The checks that refuse it: none, one, or W22 and what was found after it
export function faultsOfGathering(reader, payload) {
  try { take(reader, readLobby(payload)); } catch (error) {
    if (error instanceof Refusal) return error.then ? [error.check, error.then] : [error.check];
    throw error;
  }
  return [];
}

export const judgeGathering = (reader, payload) => faultsOfGathering(reader, payload)[0] ?? null;
