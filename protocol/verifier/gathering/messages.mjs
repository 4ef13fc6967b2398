// The form of every message of a gathering (SPEC.md part 3, Gathering, Passphrase, Bots at a table): check W06. What can be
// seen here needs neither a link nor a list: canonical bytes, exact fields, lengths, and the seats of a list.

import { decode, hasFields, isBytes, isInt, isMap } from "../canonical.mjs";
import { need, Refusal } from "../refusal.mjs";
import { isName, isRemark } from "../names.mjs";
import { numberLE } from "../bytes.mjs";
import { checkOptions } from "../rules/options.mjs";
import { accounts } from "../table/terms.mjs";

const MAX_GUESTS = 8;

// The y of the points of order 1, 2, 4 and 8
const P = 2n ** 255n - 19n;
const Y8 = 2707385501144840649318225287225658788936804267575313519463743609750303402022n;
const SMALL = new Set([0n, 1n, P - 1n, Y8, P - Y8]);

const check = (condition, sentence) => need(condition, "W06", sentence);
const present = (map, ...names) => names.filter((n) => n in map);
const isHost = (v) => typeof v === "string" && /^[ -~]{0,255}$/.test(v);
function mayBeKey(v) {
  if (!isBytes(v, 32)) return false;
  const y = numberLE(v) & (2n ** 255n - 1n);
  return y < P && !SMALL.has(y);
}
const isMark = (v) => hasFields(v, "owner", "sig") && isBytes(v.owner, 32) && isBytes(v.sig, 64);
const listOf = (v, of) => Array.isArray(v) && v.length <= MAX_GUESTS && v.every(of);
const bytesOrNone = (size) => (v) => isBytes(v, size) || isBytes(v, 0);

function fields(m, required, optional = []) {
  check(hasFields(m, "t", ...required, ...present(m, ...optional)), `${m.t} has other fields`);
}

const FORMS = {
  join(m) {
    fields(m, ["nick"], ["seat", "bot"]);
    check(isName(m.nick), "the nickname is no name");
    check(!("seat" in m) || isInt(m.seat, 0, MAX_GUESTS - 1), "a seat that no table has");
    check(!("bot" in m) || isMark(m.bot), "a bot's mark is malformed");
  },
  full(m) {
    fields(m, ["why"]);
    check(isRemark(m.why), "the reason is no sentence that can be shown");
  },
  seated,
  held(m) {
    fields(m, ["list", "pledges", "table", "assents", "lacks"]);
    check(isBytes(m.list, 32), "the list's digest is malformed");
    check(listOf(m.pledges, bytesOrNone(96)), "the pledges are malformed");
    check(bytesOrNone(32)(m.table), "the table's identifier is malformed");
    check(listOf(m.assents, bytesOrNone(64)) && m.assents.length === m.pledges.length, "the signatures are malformed");
    check(listOf(m.lacks, (n) => isInt(n, 0, m.pledges.length - 1)) && m.lacks.every((n, i) => i === 0 || m.lacks[i - 1] < n), "what it lacks is malformed");
    const has = (list) => list.filter((one) => one.length > 0).length;
    check(m.table.length > 0 ? has(m.pledges) === m.pledges.length : has(m.assents) === 0, "table, pledges and signatures do not fit each other");
  },
  locked(m) {
    fields(m, ["exchange"]);
    check(isBytes(m.exchange, 33), "the exchange is malformed");
  },
  key(m) {
    fields(m, ["exchange", "proof"]);
    check(isBytes(m.exchange, 33) && isBytes(m.proof, 32), "the exchange or its proof is malformed");
  },
  unlocked(m) {
    fields(m, ["proof"]);
    check(isBytes(m.proof, 32), "the proof is malformed");
  },
};

function seated(m) {
  fields(m, ["opening", "number", "name", "rules", "hands", "guests", "sig"], ["watch", "after"]);
  check(isBytes(m.opening, 16), "the opening is malformed");
  check(isInt(m.number, 0, 2 ** 32 - 1), "the list's number is malformed");
  check(isName(m.name), "the table's name is no name");
  check(isMap(m.rules), "the rules are no map");
  try { checkOptions(m.rules); } catch (error) {
    if (error instanceof Refusal) check(false, error.sentence);
    throw error;
  }
  check(isInt(m.hands, m.rules.match === "session" ? 1 : 0, 10000), "the number of hands is no such number");
  check(!("watch" in m) || ["now", "trick", "hand"].includes(m.watch), "watch is none of its words");
  if ("after" in m) checkAfter(m.after, m.rules);
  check(isBytes(m.sig, 64), "the founder's signature is malformed");
  check(Array.isArray(m.guests) && m.guests.length >= 1 && m.guests.length <= m.rules.seats, "the guests are no such list");
  for (const guest of m.guests) checkGuest(guest, m.rules);
  check(new Set(m.guests.map((g) => g.key.join())).size === m.guests.length, "a key stands twice");
  check(m.rules.seating !== "chosen" || new Set(m.guests.map((g) => g.seat)).size === m.guests.length, "two guests have one seat");
}

function checkGuest(guest, rules) {
  const chosen = rules.seating === "chosen" ? ["seat"] : [];
  check(isMap(guest) && hasFields(guest, "key", "nick", "host", "port", ...chosen, ...present(guest, "bot")), "a guest has other fields");
  check(mayBeKey(guest.key) && isName(guest.nick), "a guest's key or nickname is malformed");
  check(isHost(guest.host) && isInt(guest.port, 0, 65535), "a guest's address is malformed");
  check(!("seat" in guest) || isInt(guest.seat, 0, rules.seats - 1), "a guest has a seat that the table has not");
  check(!("bot" in guest) || isMark(guest.bot), "a bot's mark is malformed");
}

function checkAfter(after, rules) {
  check(hasFields(after, "cards", "dealer", "end", "games", "table", "tokens") && isBytes(after.table, 32) && isBytes(after.end, 32) &&
    isInt(after.dealer, 0, rules.seats - 1) && rules.seating === "chosen", "what the table continues is malformed");
  for (const name of ["tokens", "cards", "games"])
    check(Array.isArray(after[name]) && after[name].length === accounts(rules) && after[name].every((n) => isInt(n, -1000000, 1000000)), `after.${name} is no such list`);
}

export function readLobby(bytes) {
  let m;
  try { m = decode(bytes); } catch (error) { throw new Refusal("W06", error.message); }
  check(isMap(m) && typeof m.t === "string" && Object.hasOwn(FORMS, m.t), "no such word of the gathering");
  FORMS[m.t](m);
  return m;
}
