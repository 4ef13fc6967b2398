// A table that goes on from an ended one (SPEC.md part 3, A seat taken over): check A05, made by an auditor who has both
// transcripts. `before` and `after` are Tables; an ended table has its second name.

import { encode } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { need } from "../refusal.mjs";
import { isDone } from "../rules/match.mjs";

// The judged file with the end of the table that `after` names, if it is there; of two ends that contradict each other, that one.
export function earlierEnd(judged, after) {
  const ends = judged.filter((j) => j.table?.T && equal(j.table.T, after.table) && j.verdict.verdict === "sound" && j.table.over);
  return ends.find((j) => equal(j.table.name, after.end)) ?? ends[0];
}

export function checkContinues(before, after) {
  const terms = after.terms, a = terms.after, m = before.match;
  need(a !== undefined && equal(a.table, before.T), "A05", "it continues another table");
  need(before.ended && before.options.away === "replace" && before.seatOf !== null && !isDone(m), "A05", "the earlier table was not ended so that it goes on");
  need(equal(a.end, before.name), "A05", "it continues another end of that table, whose file is not here");
  need(a.dealer === m.dealer, "A05", "another seat deals");
  for (const name of ["tokens", "cards", "games"]) need(equalLists(a[name], m[name]), "A05", `other ${name} than there were`);
  need(terms.name === before.terms.name && terms.watch === before.terms.watch, "A05", "another name, or other spectators");
  need(equal(encode({ ...terms.rules, seating: 0 }), encode({ ...before.options, seating: 0 })), "A05", "other rules");
  const left = before.terms.hands === 0 ? 0 : before.terms.hands - m.played;
  need(terms.hands === left, "A05", "another number of hands than was left");
  const absent = before.partedFrom;
  before.playerOf?.forEach((p, seat) => need(p === absent || equal(terms.players[seat].key, before.players[p].key), "A05", `another player on seat ${seat}`));

}

const equalLists = (x, y) => x.length === y.length && x.every((n, i) => n === y[i]);
