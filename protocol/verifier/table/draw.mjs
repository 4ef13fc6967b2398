// The draw of seats and dealer, and the spoken code (SPEC.md part 2, The draw).

import { Stream } from "../crypto/stream.mjs";
import { digest } from "../hashes.mjs";
import { pack, strength, suitOf, SUITS } from "../rules/options.mjs";

// {players: [the player on each seat], dealer}
export function drawSeats(T, nonces, options) {
  const n = nonces.length, asAgreed = Array.from({ length: n }, (_, i) => i);
  if (options.seating === "chosen") return { players: asAgreed, dealer: 0 };
  const stream = new Stream(digest("p2p304 draw", T, ...nonces));
  if (options.seating === "random")
    return { players: stream.child("seats").permutation(n), dealer: stream.child("dealer").below(n) };
  const cards = pack(options), order = stream.child("cards").permutation(cards.length);
  const drawn = asAgreed.map((i) => cards[order[i]]);
  const value = (c) => strength(options, c) * 4 + SUITS.indexOf(suitOf(c));
  const ranked = [...asAgreed].sort((a, b) => value(drawn[a]) - value(drawn[b]));
  const half = Math.ceil(n / 2), players = [];
  ranked.forEach((p, i) => { players[i < half ? 2 * i : 2 * (i - half) + 1] = p; });
  return { players, dealer: 0 };
}

const LETTERS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";

export function spokenCode(T, nonces) {
  const number = digest("p2p304 code", T, ...nonces);
  let bits = Number(((BigInt(number[28]) << 24n) | (BigInt(number[29]) << 16n) | (BigInt(number[30]) << 8n) | BigInt(number[31])) & 0x3fffffffn);
  let text = "";
  for (let i = 0; i < 6; i++) { text += LETTERS[bits & 31]; bits >>= 5; }
  return `${text.slice(0, 3)}-${text.slice(3)}`;
}
