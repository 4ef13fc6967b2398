// Calls of Caps (SPEC.md part 1): not implemented yet but for the order that binds an early caller.

import { NotImplemented } from "../refusal.mjs";

export function judgeCall() { throw new NotImplemented("whether a call of Caps wins in every world"); }

export function checkBound(h, { seat, card }, view) {
  if (h.caller === null || h.caller.seat !== seat) return;
  throw new NotImplemented("the order of a caller of Caps");
}
