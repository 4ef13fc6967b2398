// The agreement, entry 0 (SPEC.md part 2): what its terms must hold, in the order of the table of limits there.

import { encode, hasFields, isBytes, isInt, isMap } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { digest } from "../hashes.mjs";
import { verify } from "../signatures.mjs";
import { isName } from "../names.mjs";
import { need } from "../refusal.mjs";
import { checkOptions } from "../rules/options.mjs";

const FIELDS = ["hands", "name", "players", "rules", "v"];
const OPTIONAL = ["watch", "after"];

export const accounts = (options) => (options.partner === "across" ? 2 : options.seats);

export function checkAgreement(body) {
  const { terms, assents } = body;
  const has = (n) => n in terms;
  need(hasFields(terms, ...FIELDS, ...OPTIONAL.filter(has)), "A01", "the terms have other fields");
  need(terms.v === 1, "A01", "the terms are of another version");
  need(isInt(terms.hands, 0, 10000), "A01", "the number of hands is no such number");
  need(Array.isArray(terms.players), "A01", "the players are no list");
  need(isMap(terms.rules), "A01", "the rules are no map");
  checkOptions(terms.rules);
  if (has("watch")) need(["now", "trick", "hand"].includes(terms.watch), "A01", "watch is none of its words");
  if (has("after")) checkAfter(terms.after, terms.rules);
  for (const player of terms.players) checkPlayer(player);
  need(isName(terms.name), "A01", "the table's name is no name");
  need(terms.rules.match !== "session" || terms.hands >= 1, "A02", "a session needs a number of hands");
  need(terms.players.length === terms.rules.seats, "A02", "there is not a player for each seat");
  need(new Set(terms.players.map((p) => p.key.join())).size === terms.players.length, "A02", "a key stands twice");
  const T = digest("p2p304 table", encode(terms));
  need(assents.length === terms.players.length, "A03", "there is not an assent of each player");
  assents.forEach((sig, i) => need(verify(terms.players[i].key, "p2p304 assent", T, sig), "A03", `player ${i} has not signed the terms`));
  return T;
}

function checkPlayer(player) {
  const bot = isMap(player) && "bot" in player;
  need(hasFields(player, "key", "nick", "pledge", ...(bot ? ["bot"] : [])), "A01", "a player has other fields");
  need(isBytes(player.key, 32) && isBytes(player.pledge, 32), "A01", "a key or a pledge is malformed");
  if (bot) {
    need(hasFields(player.bot, "owner", "sig") && isBytes(player.bot.owner, 32) && isBytes(player.bot.sig, 64), "A01", "a bot's mark is malformed");
    need(verify(player.bot.owner, "p2p304 bot", player.key, player.bot.sig), "A08", "its owner has not signed a bot's mark");
  }
  need(isName(player.nick), "A01", "a nickname is no name");
}

function checkAfter(after, rules) {
  need(hasFields(after, "cards", "dealer", "end", "games", "table", "tokens"), "A01", "after has other fields");
  need(isBytes(after.table, 32) && isBytes(after.end, 32), "A01", "after names no table and end");
  need(isInt(after.dealer, 0, rules.seats - 1), "A01", "after names no seat as dealer");
  for (const name of ["tokens", "cards", "games"]) {
    const list = after[name];
    need(Array.isArray(list) && list.length === accounts(rules) && list.every((n) => isInt(n, -1000000, 1000000)), "A01", `after.${name} is no such list`);
  }
  need(rules.tenths !== "off" || [...after.cards, ...after.games].every((n) => n === 0), "A01", "only the game of tenths counts card points and games");
  need(rules.seating === "chosen", "A01", "a table that continues another has chosen seats");
}

export const pledgeOf = (key, nonce) => digest("p2p304 pledge", key, nonce);
export const opensPledge = (player, nonce) => equal(pledgeOf(player.key, nonce), player.pledge);
