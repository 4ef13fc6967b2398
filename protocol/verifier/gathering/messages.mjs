// The form of every message of a gathering (SPEC.md part 3, Gathering, Passphrase, Bots at a table): check W06. What can be
// seen here needs neither a link nor a list: canonical bytes, exact fields, lengths, and the seats of a list.

import { decode, hasFields, isBytes, isInt, isMap } from "../canonical.mjs";
import { need, Refusal } from "../refusal.mjs";
import { isName } from "../names.mjs";
import { checkOptions } from "../rules/options.mjs";
import { accounts } from "../table/terms.mjs";

export const MAX_LOBBY = 16384;
const MAX_GUESTS = 8, MAX_TEXT = 256, MAX_HOST = 255;

const check = (condition, sentence) => need(condition, "W06", sentence);
const present = (map, ...names) => names.filter((n) => n in map);
const isText = (v, most) => typeof v === "string" && v.length <= most;
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
    check(isText(m.why, MAX_TEXT), "the reason is no text, or too long");
  },
  seated,
  held(m) {
    fields(m, ["list", "pledges", "table", "assents", "lacks"]);
    check(isBytes(m.list, 32), "the list's digest is malformed");
    check(listOf(m.pledges, bytesOrNone(96)), "the pledges are malformed");
    check(bytesOrNone(32)(m.table), "the table's identifier is malformed");
    check(listOf(m.assents, bytesOrNone(64)), "the signatures are malformed");
    check(listOf(m.lacks, (n) => isInt(n, 0, MAX_GUESTS - 1)) && m.lacks.every((n, i) => i === 0 || m.lacks[i - 1] < n), "what it lacks is malformed");
  },
  // An exchange of another length is W10, as SPEC.md says of anything that is no point: only its type is judged here.
  locked(m) {
    fields(m, ["exchange"]);
    check(isBytes(m.exchange), "the exchange is malformed");
  },
  key(m) {
    fields(m, ["exchange", "proof"]);
    check(isBytes(m.exchange) && isBytes(m.proof, 32), "the exchange or its proof is malformed");
  },
  unlocked(m) {
    fields(m, ["proof"]);
    check(isBytes(m.proof, 32), "the proof is malformed");
  },
};

// The list is held to the limits of the agreement's terms, since the terms are made of it: else a list could be complete
// that nobody may sign.
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
  check(isBytes(guest.key, 32) && isName(guest.nick), "a guest's key or nickname is malformed");
  check(isText(guest.host, MAX_HOST) && isInt(guest.port, 0, 65535), "a guest's address is malformed");
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
  check(bytes.length <= MAX_LOBBY, "a message of the gathering is too long");
  let m;
  try { m = decode(bytes); } catch (error) { throw new Refusal("W06", error.message); }
  check(isMap(m) && typeof m.t === "string" && Object.hasOwn(FORMS, m.t), "no such word of the gathering");
  FORMS[m.t](m);
  return m;
}
