// The eighteen games, written from SPEC.md (Presets); a test compares them with protocol/presets.json.

const PAGAT = {
  seats: 4, partner: "across", pack: 32, deal: "4+4", stock: "none", direction: "ccw", seating: "random", shuffle: "thorough",
  redeal15: "on", "bid.min": 160, "bid.first": "free", rebid: 200, over_partner: 200, ask_partner: "on", step_over_200: 10,
  all_pass: "next_dealer", half_court: "off", full_court: "off", bid4: "numbers", bid8: "on", "bid8.start": "winner", "bid8.min": 250,
  pcc: "on", bid304: "off", tenths: "off", open_trump: "on", open_after_250: "on", exhausted: "on", hidden: "face_down", reveal: "others",
  marriages: "off", last_trick: 0, double: "off", spoilt: "anyone", "spoilt.until": "last_card", caps: "grace", wrong_caps: "instead",
  external_caps: "plus_one", score: "tokens", match: "across", tokens: 11, violation: "pay", chat: "between", timer: "off", timeout: "hint", memory: "off", hints: "off", away: "wait",
};
const SIX = { deal: "3+1", "bid.first": "must", "bid.min": 200, redeal15: "off" };
const DOSO_VISO = { partner: "called", bid4: "courts", half_court: "on", full_court: "on", bid8: "off", ask_partner: "off", redeal15: "off",
  pcc: "off", caps: "off", spoilt: "off" };
// "One round as with eight cards": every player speaks once, and nobody bids over a partner.
const TAMIL = { deal: "all_first", bid8: "off", rebid: "once", over_partner: "never", ask_partner: "off", double: "on", caps: "off",
  redeal15: "off", spoilt: "off" };
const ONLINE = { direction: "cw", deal: "all_first", "bid.min": 150, rebid: "first200", ask_partner: "off",
  all_pass: "dealer_forced", bid8: "off", pcc: "off", bid304: "on", open_trump: "off", open_after_250: "off", exhausted: "off",
  hidden: "ask_reveal", redeal15: "off", spoilt: "auto", caps: "off", score: "online", match: "points", tokens: 25, timer: 30, timeout: "random" };

const BEYOND_PAGAT = {
  pagat: {}, bank: { match: "bank" }, fives: { step_over_200: 5 },
  wikipedia: { rebid: "once", over_partner: "never", "bid8.min": "equal_ok" },
  catsatcards: { "bid8.start": "dealer_right", "bid8.min": "over250", reveal: "all", wrong_caps: "additive", external_caps: "none", spoilt: "opponents", "spoilt.until": "trick8" },
  "half-court": { half_court: "on" },
  "six-24": { ...SIX, seats: 6, pack: 24 }, "eight-32": { ...SIX, seats: 8 }, "six-36": { seats: 6, pack: 36, deal: "4+2" },
  maharashtra: { ...DOSO_VISO, marriages: "on", last_trick: 10 }, "doso-viso": DOSO_VISO,
  "tamil-304": TAMIL, "tamil-504": { ...TAMIL, seats: 6, pack: "36-threes", "bid.min": 260 },
  "tamil-904": { ...TAMIL, seats: 8, pack: 40, "bid.min": 460 },
  tenths: { tenths: "on" },
  "online-4": { ...ONLINE, over_partner: "first200" },
  "online-3": { ...ONLINE, seats: 3, partner: "none", stock: "exchange" },
  "online-2": { ...ONLINE, seats: 2, partner: "none", stock: "draw" },
};
export const preset = (name) => ({ ...PAGAT, ...BEYOND_PAGAT[name], preset: name });
export const presetNames = Object.keys(BEYOND_PAGAT);
