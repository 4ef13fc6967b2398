// Who sits where and who plays with whom (SPEC.md part 1, Seats, cards, deal): seats are numbers from 0 in the order of play.

export const seatsOf = (options) => Array.from({ length: options.seats }, (_, seat) => seat);
export const next = (options, seat, by = 1) => (seat + by) % options.seats;

// The seats that are on one side with `seat` for certain; called partners are found in called.mjs.
export const sideOf = (options, seat) =>
  seatsOf(options).filter((other) => other === seat || (options.partner === "across" && (other - seat) % 2 === 0));
export const arePartners = (options, a, b) => a !== b && sideOf(options, a).includes(b);

// Written names: S E N W with four seats, otherwise numbers from 1.
export const seatName = (options, seat) => (options.seats === 4 ? "SENW"[seat] : String(seat + 1));
export const seatNamed = (options, name) => seatsOf(options).findIndex((seat) => seatName(options, seat) === name);

// Accounts: a side each with partners across the table, otherwise a seat each.
export const accounts = (options) => (options.partner === "across" ? [0, 1] : seatsOf(options));
export const accountOf = (options, seat) => (options.partner === "across" ? seat % 2 : seat);
export function accountName(options, account) {
  if (options.partner !== "across") return seatName(options, account);
  const names = seatsOf(options).filter((seat) => seat % 2 === account).map((seat) => seatName(options, seat));
  return { SN: "NS", EW: "EW" }[names.join("")] ?? names.join("");
}
