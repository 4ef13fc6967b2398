// What happened at a table, as an observer of its audit hears it (audit.mjs): entries, hands and tokens as plain data, each fact
// with the place of the entry that proves it. Seats are numbers; words and languages are the page's.

import { toHex } from "../bytes.mjs";
import { bidMade, makersPoints, makersSeats, pointsBySeat, result, trickPoints } from "../rules/result.mjs";
import { suitOf } from "../rules/options.mjs";
import { dealOf } from "../table/match.mjs";
import { equations } from "./equations.mjs";

const KEPT = 20000; // entries whose equations are kept, so that a file of any size can be shown

// The last entry before players parted; its block holds their parts
const partedAt = (table) => (table.parting ? table.parting.seq - 1 : null);

export class Story {
  constructor() {
    Object.assign(this, { seq: 0, proofs: new Map(), table: null, sent: false, known: new Map(), played: new Map(), won: [], said: [], first: 0, tokens: null, trumpSeq: null, void: [] });
  }

  proof(proof) {
    this.seq = proof.seq;
    if (this.proofs.size >= KEPT && !this.proofs.has(proof.seq)) return;
    const list = this.proofs.get(proof.seq) ?? [];
    list.push({ word: proof.word, form: proof.form, holds: proof.holds, lines: equations(proof, this.table?.hand?.nameOf) });
    this.proofs.set(proof.seq, list);
  }

  proofsOf(seq) { return this.proofs.get(seq) ?? []; }

  // An entry has passed its checks, its receipts not yet
  entry(table, { entry }) {
    this.seq = entry.seq + 1;
    this.table = table;
    if (entry.kind === "draw" && table.seatOf !== null) this.tokens = [...table.match.tokens];
    const hand = table.hand;
    if (hand === null || entry.kind === "draw") { this.first = entry.seq + 1; return; }
    this.look(hand, entry.seq);
    const seat = table.seatOf[entry.author], { kind, body, seq } = entry;
    if (["say", "redeal", "indicator", "open", "closed", "caps", "spoilt", "ask", "marriage", "exchange", "cut"].includes(kind))
      this.said.push({ kind, seat, seq, word: body.word ?? body.suit ?? null, at: body.at ?? null, tricks: kind === "closed" ? 0 : hand.tricks.length });
  }

  // Which cards have become known, and which were played
  look(hand, seq) {
    const slots = [...hand.slots.flat(), ...hand.tricks.flat(), ...(hand.indicator ? [hand.indicator] : [])];
    for (const s of slots) if (s.card !== null && !this.known.has(s)) this.known.set(s, seq);
    for (const p of hand.tricks.flat()) if (!this.played.has(p)) this.played.set(p, seq);
    hand.rules.tricks.forEach((trick, i) => { if ((trick.winner ?? null) !== null) this.won[i] ??= seq; });
    if (hand.rules.trump !== null) this.trumpSeq ??= seq;
  }

  block(table, { entry, receipts, parts }) {
    return {
      seq: entry.seq, author: entry.author, kind: entry.kind, link: toHex(entry.link), proofs: this.proofsOf(entry.seq),
      receipts: (receipts ?? []).map((r) => ({ author: r.author, claim: r.claim })), parts: (parts ?? []).map((p) => p.author),
    };
  }

  // A hand that is settled: what is shown of it
  hand(table, hand) {
    this.look(hand, table.seq - 1);
    const shown = { ...this.describe(table, hand), ...this.ended(table, hand), before: this.tokens, tokens: [...table.match.tokens] };
    Object.assign(this, { settled: hand, tokens: shown.tokens, known: new Map(), played: new Map(), won: [], said: [], first: table.seq, trumpSeq: null });
    if (shown.end.isVoid) this.void.push(hand.number);
    return shown;
  }

  // The hand that is on when the file ends; at a table that is over none is
  unfinished() {
    const { table } = this, hand = table?.hand ?? null;
    if (hand === null || hand.shuffles === 0 || table.over || hand === this.settled) return null;
    return { ...this.describe(table, hand), before: this.tokens, tokens: null, end: null };
  }

  describe(table, hand) {
    const r = hand.rules, seqOf = (s) => this.known.get(s) ?? null;
    const laid = hand.laidAway ?? [];
    const own = (seat) => [...hand.tricks.flat().filter((p) => p.seat === seat), ...hand.slots[seat],
      ...(hand.indicator?.seat === seat ? [hand.indicator] : []), ...laid.filter((s) => s.seat === seat)];
    const indicator = hand.indicator ?? hand.tricks.flat().find((p) => p.indicator) ?? null;
    return {
      number: hand.number - this.void.length, deal: hand.number, isAgain: this.void.includes(hand.number - 1), dealer: hand.dealer, first: this.first, last: table.seq - 1, dealt: hand.isCut,
      said: this.said, maker: r.maker, bid: r.won ?? r.bid ?? null, choice: r.choice, idle: r.idle, absent: table.absent?.seat ?? null, partedSeq: partedAt(table), called: r.called ?? null,
      trump: r.trump ?? (indicator?.card ? suitOf(indicator.card) : null), trumpSeq: this.trumpSeq ?? (indicator ? seqOf(indicator) : null),
      hands: hand.slots.map((_, seat) => own(seat).map((s) => ({ card: s.card, seq: seqOf(s) }))),
      tricks: hand.tricks.map((trick, i) => ({
        leader: trick[0].seat, winner: r.tricks[i]?.winner ?? null, seq: this.won[i] ?? null,
        points: trick.every((p) => p.card !== null) ? trickPoints({ tricks: hand.tricks.map((t) => t.map((p) => p.card)) }, i) : null,
        plays: trick.map((p) => ({ seat: p.seat, card: p.card, down: p.down, indicator: p.indicator, seq: this.played.get(p) ?? null, opened: seqOf(p) })),
      })),
    };
  }

  // How it ended: the kind, the points for the bid, and what Caps was worth
  ended(table, hand) {
    const rules = hand.rules;
    if (rules.phase !== "over") return { end: { kind: "left", seat: table.seatOf[table.partedFrom] } };
    if (hand.breach) return { end: { kind: "breach", ...hand.breach } };
    const deal = dealOf(hand), { kind, why, caps } = result(rules, deal);
    if (kind === "void" || why === "spoilt.false") return { end: { kind: why, seat: rules.spoiltBy, isVoid: kind === "void" } };
    const makers = makersSeats(rules, deal), total = pointsBySeat(rules, deal);
    return { end: { kind: "played", makers, made: bidMade(rules, deal, makers), points: makersPoints(rules, deal, makers), total: total.reduce((a, b) => a + b, 0), allTricks: rules.allTricks, caps, called: rules.caller ? { seat: rules.caller.seat, ended: rules.caller.ended } : null, doubled: rules.doubled } };
  }

  // The table, sent once, as soon as the seats are drawn (or at the end, if they never are)
  tableOnce() {
    const t = this.table;
    if (this.sent || t === null || t.seatOf === null) return null;
    this.sent = true;
    return this.describeTable(t);
  }

  describeTable(t) {
    const across = t.options.partner === "across";
    return {
      id: toHex(t.T), name: t.terms.name, code: t.code, seats: t.n, across, options: t.options, hands: t.terms.hands, continues: t.terms.after ? toHex(t.terms.after.table) : null,
      players: t.players.map((p, i) => ({ nick: p.nick, key: toHex(p.key), bot: "bot" in p ? toHex(p.bot.owner) : null, seat: t.seatOf ? t.seatOf[i] : null })),
      start: this.tokens,
    };
  }

  end() {
    const t = this.table;
    if (t === null) return null;
    return { table: this.describeTable(t), entries: t.seq, over: t.over, partedFrom: t.partedFrom ?? null, partedSeq: partedAt(t), isEarly: t.ended || t.absent !== null, winner: t.match?.winner ?? null,
      tokens: t.match?.tokens ?? null, games: t.match?.games ?? null };
  }
}
