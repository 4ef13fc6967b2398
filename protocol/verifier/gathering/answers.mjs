// What a founder answers to a `join`, `key` or `held` that no check refuses, and what a member does with the last pledges
// (SPEC.md part 3, Gathering).

import { equal } from "../bytes.mjs";
import { alike } from "./alike.mjs";
import { hasKey, isFull } from "./list.mjs";

// `founded`: {list: its list, locked: whether it has a passphrase, run: whether a run of the sender's is open, proven: whether the
// sender has proven the passphrase, put_out: whether its key was put out of the list lately}
function toJoin({ peer, founded: { list, locked, proven, put_out } }, { nick }) {
  const listed = hasKey(list, peer.key);
  if (put_out) return "full";
  if ((!locked || proven) && list.guests.some((g) => !equal(g.key, peer.key) && alike(g.nick, nick))) return "full";
  if (isFull(list) && !listed) return "full";
  if (locked && !proven) return "locked";
  return listed ? "list" : "seated";
}

function toHeld({ peer, founded: { list, locked, proven, put_out } }) {
  if (hasKey(list, peer.key)) return "passed over";
  return isFull(list) || put_out || (locked && !proven) ? "full" : "list";
}

export function founderAnswers(reader, m) {
  if (m.t === "join") return toJoin(reader, m);
  return m.t === "held" ? toHeld(reader) : "passed over";
}

// A member that has links to all and its own pledge takes the pledges of a message. It has notes of the players `leavers`.
export function memberDoes({ list: { keys, owners, isDrawn }, first, leavers }, { pledges }) {
  if (!keys.every((_, i) => first[i] || pledges[i].length > 0)) return "waits";
  const notes = (key) => leavers.some((one) => equal(one, key));
  return isDrawn && [...keys, ...owners].some(notes) ? "leaves" : "signs";
}
