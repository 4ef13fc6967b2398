// Who is who at a table: names with their seats, sides, and accounts of tokens.

import { h, name } from "./dom.mjs";
import { list, t, text } from "./words.mjs";

export class People {
  constructor(table) { this.table = table; }

  seatName(seat) { return this.table.seats === 4 ? text(`seat_${"SENW"[seat]}`) : text("seat_n", { n: seat + 1 }); }

  // "Asha (South)", the nickname for itself
  player(index) {
    const p = this.table.players[index];
    if (p === undefined) return h("span", {}, t("player"), ` ${index + 1}`);
    return h("span", { class: "who" }, name(p.nick), p.seat === null ? null : h("span", { class: "seat" }, ` (${this.seatName(p.seat)})`));
  }

  indexOn(seat) { return this.table.players.findIndex((p) => p.seat === seat); }
  on(seat) { return this.player(this.indexOn(seat)); }
  nick(seat) { return name(this.table.players[this.indexOn(seat)].nick); }

  side(seats) {
    const names = seats.map((s) => this.nick(s));
    return names.length === 2 ? t("side", { a: names[0], b: names[1] }) : list(names.map((n) => [n]));
  }

  // the seats behind each account, in order of accounts
  get accounts() {
    const seats = Array.from({ length: this.table.seats }, (_, i) => i);
    return this.table.across ? [0, 1].map((a) => seats.filter((s) => s % 2 === a)) : seats.map((s) => [s]);
  }

  sideOf(seat) { return this.accounts.find((seats) => seats.includes(seat)); }
}
