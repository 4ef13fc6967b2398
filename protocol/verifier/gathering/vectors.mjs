// For tests: who reads the vectors of protocol/messages and protocol/handshakes. Their indexes name the reader
// and what it holds.

import { ed25519 } from "@noble/curves/ed25519";
import { concat, fromHex, utf8 } from "../bytes.mjs";
import { encode } from "../canonical.mjs";
import { digest } from "../hashes.mjs";
import { listDigest, tableOf } from "./list.mjs";
import { readLobby } from "./messages.mjs";

const seed = (n) => new Uint8Array(32).fill(n);
const seeded = (n) => ed25519.getPublicKey(seed(n));
const person = ({ key, nick }) => ({ key: fromHex(key), nick });
const pledgeIn = (hex) => (hex === "" ? null : fromHex(hex).subarray(0, 32));

const visitorOf = ({ answered, proof, list, ...told }) =>
  ({ ...told, answered: bytesOrNull(answered), proof: bytesOrNull(proof), list: list === null ? null : readLobby(fromHex(list)) });

// The reader of one row of the index of protocol/messages; `frame(file)` gives a file's bytes
export function gatheringReader(row, frame) {
  const [me, peer] = [person(row.reader), person(row.sender)];
  const reader = { role: row.to, me, peers: [peer], peer, founder: fromHex(row.founder) };
  if (row.to === "visitor") return { ...reader, visitor: visitorOf(row.visitor) };
  if (row.founded) return { ...reader, founded: { ...row.founded, list: readLobby(fromHex(row.founded.list)) } };
  if (row.to !== "member") return reader;
  const list = readLobby(frame(row.list).slice(1));
  const known = { digest: listDigest(list), keys: list.guests.map((g) => g.key), table: (pledges) => tableOf(list, pledges) };
  const owners = list.guests.flatMap((g) => (g.bot ? [g.bot.owner] : []));
  const told = row.leavers ? { leavers: row.leavers.map(fromHex) } : {};
  return { ...reader, ...told, list: { ...known, owners, isDrawn: list.rules.seating !== "chosen" }, first: row.pledges.map(pledgeIn) };
}

export const handshakeReader = ({ key, nonce, dialled, admits }) => ({ key: fromHex(key), nonce: fromHex(nonce), dialled: dialled && fromHex(dialled), admits });
export const bytesOrNull = (hex) => (hex === null ? null : fromHex(hex));

// An honest gathering, made here because every vector of a gathering is one that is refused: without it a judge that refuses
// everything would pass. The first name keeps the list, the second reads it; then both hold everything.
const sign = (n, label, bytes) => ed25519.sign(concat(utf8(label), Uint8Array.of(0), bytes), seed(n));

export function honestGathering(rules, names) {
  const guests = names.map((nick, i) => ({ key: seeded(i + 1), nick, host: "192.0.2.7", port: 4304 + i }));
  const bot = { owner: seeded(1), sig: sign(1, "p2p304 bot", guests[2].key) };
  guests[2].bot = bot;
  const list = { t: "seated", opening: seed(7).slice(0, 16), number: 5, name: "Friday", rules, hands: 3, guests };
  list.sig = sign(1, "p2p304 list", listDigest(list));
  const pledges = guests.map((g, i) => digest("p2p304 pledge", g.key, seed(100 + i)));
  const table = tableOf(list, pledges);
  const held = {
    t: "held", list: listDigest(list), table, lacks: [1, 3],
    pledges: pledges.map((p, i) => concat(p, sign(i + 1, "p2p304 pledged", concat(listDigest(list), p)))),
    assents: guests.map((_, i) => sign(i + 1, "p2p304 assent", table)),
  };
  const half = { ...held, table: new Uint8Array(), pledges: held.pledges.map((p, i) => (i % 2 ? p : new Uint8Array())), assents: guests.map(() => new Uint8Array()), lacks: [] };
  const [me, peers] = [{ key: guests[1].key, nick: names[1] }, [{ key: guests[0].key, nick: names[0] }]];
  const known = { digest: held.list, keys: guests.map((g) => g.key), table: (all) => tableOf(list, all) };
  const reader = { role: "member", me, peers, peer: peers[0], founder: guests[0].key, list: known, first: pledges };
  const founder = { role: "founder", me: peers[0], peers: [], peer: { key: guests[2].key, nick: names[2] }, founder: guests[0].key };
  const point = (letter) => concat(Uint8Array.of(letter), seeded(9));
  const messages = [
    [founder, { t: "join", nick: names[2], bot, seat: 3 }], [founder, { t: "key", exchange: point(0x42), proof: seed(0) }],
    [reader, list], [reader, held], [reader, half], [reader, { ...half, list: seed(1) }], [reader, { t: "full", why: "the table is full" }],
    [reader, { t: "locked", exchange: point(0x41) }], [reader, { t: "unlocked", proof: seed(0) }],
  ];
  return messages.map(([who, m]) => ({ reader: who, word: m.t, bytes: encode(m) }));
}
