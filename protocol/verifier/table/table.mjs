// A table as its log shows it. `accept(block)` verifies one block in the order of *Order of checks* and changes the
// table; a Refusal leaves with `place` and `who` (the player whom it concerns).

import { encode } from "../canonical.mjs";
import { equal } from "../bytes.mjs";
import { digest } from "../hashes.mjs";
import { need, Refusal } from "../refusal.mjs";
import { checkBody } from "../log/bodies.mjs";
import { entrySigned, partSigned, receiptSigned } from "../log/messages.mjs";
import { checkAgreement, opensPledge } from "./terms.mjs";
import { drawSeats, spokenCode } from "./draw.mjs";
import { checkBoxKey } from "./keys.mjs";
import { shuffle, cut, unlock, relock } from "./deal.mjs";
import * as plays from "./plays.mjs";
import { announce, caps, count } from "./announcing.mjs";
import { beginHand, handOver, advance } from "./course.mjs";
import { claimThatCounts, floor, openClaims } from "./floor.mjs";
import { standIn, partFrom } from "./absent.mjs";
import { newMatch } from "./match.mjs";

const ZEROS = new Uint8Array(32);
const KINDS = { shuffle, cut, unlock, relock, announce, caps, count, stand_in: standIn, say: plays.say, redeal: plays.redeal,
  indicator: plays.indicator, open: plays.open, closed: plays.closed, play: plays.play, down: plays.down, inspect: plays.inspect,
  ask: plays.ask, spoilt: plays.spoilt, marriage: plays.marriage, exchange: plays.exchange };

export class Table {
  constructor(observer = null) {
    Object.assign(this, { observer, T: null, name: null, namedFrom: null, terms: null, options: null, players: [], n: 0, seq: 0, prev: ZEROS, lastAuthor: null,
      claims: [], settled: true, nonces: [], boxKeys: [], seatOf: null, playerOf: null, code: null, match: null, hand: null, hands: [],
      held: [], parting: null, absent: null, over: false, ended: false });
  }

  accept(block) {
    this.takeEntry(block.entry);
    this.observer?.entry(this, block);
    this.finish(block);
    this.observer?.block(this, block);
  }

  // What a block says about its entry: receipts, or parts
  finish(block) {
    const { entry } = block;
    if (block.parts) this.takeParts(entry, block.parts);
    else this.takeReceipts(entry, block.receipts);
  }

  // One entry with all its checks but those of its own receipts
  takeEntry(entry) {
    naming(entry.seq === undefined ? null : this.seq, entry.author, () => {
      if (this.seq === 0) this.agree(entry);
      this.checkLog(entry);
      if (this.seq > 0) this.checkTurn(entry);
      const before = this.settled;
      if (entry.kind === "draw") this.draw(entry);
      else if (entry.kind !== "agreement") KINDS[entry.kind](this, entry);
      need(before, "L06", "receipts for the entry before are missing");
      this.claims = [];
      this.lastAuthor = entry.author;
      this.prev = entry.link;
      this.held.push({ author: entry.author, link: entry.link, claims: new Map() });
      this.seq += 1;
      this.settled = false;
      if (this.hand !== null) advance(this);
      else if (this.seatOf !== null && !this.over) beginHand(this, this.match.dealer);
    });
  }

  agree(entry) {
    checkBody(entry.kind, entry.body);
    need(entry.kind === "agreement" && entry.seq === 0 && entry.author === 0, "A01", "the log does not begin with player 0's agreement");
    this.T = this.name = checkAgreement(entry.body);
    this.terms = entry.body.terms;
    this.options = this.terms.rules;
    this.players = this.terms.players;
    this.n = this.players.length;
  }

  checkLog(entry) {
    need(equal(entry.table, this.nameAt(entry.seq)), "L01", "an entry of another table");
    need(entry.author < this.n, "L02", "its author does not sit at this table");
    need(entrySigned(this.players[entry.author].key, entry), "L03", "its author has not signed it");
    need(entry.seq === this.seq, "L04", `an entry for place ${entry.seq}, not ${this.seq}`);
    need(equal(entry.prev, this.prev), "L05", "it follows another entry");
  }

  // From the place of a parting on the table has another name
  nameAt(seq) { return this.namedFrom !== null && seq >= this.namedFrom ? this.name : this.T; }

  checkTurn(entry) {
    const due = floor(this), claim = this.over ? null : claimThatCounts(this);
    if (due.player !== entry.author && claim !== null && claim.author !== entry.author) {
      const otherwise = floor(this, false).player === entry.author || this.claims.some((c) => c.author === entry.author);
      need(!otherwise, "S04", "another player's claim has taken the floor");
    }
    checkBody(entry.kind, entry.body);
    need(due.player === entry.author, "S01", "its author does not have the floor");
    need(due.kinds.includes(entry.kind), "S02", `${entry.kind} is not due`);
  }

  draw(entry) {
    need(opensPledge(this.players[entry.author], entry.body.nonce), "A04", "another nonce than was pledged");
    this.boxKeys.push(checkBoxKey(this, entry));
    this.nonces.push(entry.body.nonce);
    if (this.nonces.length < this.n) return;
    const { players, dealer } = drawSeats(this.T, this.nonces, this.options);
    this.code = spokenCode(this.T, this.nonces);
    this.playerOf = players;
    this.seatOf = players.map((_, p) => players.indexOf(p));
    this.match = newMatch(this.options, this.terms.hands, dealer, this.terms.after);
  }

  // the players whose receipts an entry needs, in order from its author's right
  receivers(author) {
    const out = [];
    for (let i = 1; i < this.n; i++) {
      const p = (author + i) % this.n;
      if (this.absent === null || p !== this.absent.player) out.push(p);
    }
    return out;
  }

  takeReceipts(entry, receipts) {
    const place = entry.seq, full = (r) => ({ ...r, head: entry.link, seq: place, table: this.name });
    const seen = new Map();
    for (const r of receipts) {
      naming(place, r.author, () => {
        need(r.author < this.n, "L02", "a receipt's author does not sit at this table");
        need(receiptSigned(this.players[r.author].key, full(r)), "L07", "a receipt is not signed by its author");
        need(r.author !== entry.author && r.author !== this.absent?.player, "L09", "a receipt of the entry's author, or of the absent player");
        const other = seen.get(r.author);
        need(other === undefined || other.claim === r.claim, "L10", "two receipts of one player for one place");
        seen.set(r.author, r);
        this.held[place].claims.set(r.author, r.claim);
      });
    }
    const order = this.receivers(entry.author);
    naming(place, order.find((p) => !seen.has(p)) ?? null, () => need(order.every((p) => seen.has(p)), "L06", "a receipt is missing"));
    naming(place, null, () => need(receipts.length === order.length && receipts.every((r, i) => r.author === order[i]), "L12", "receipts are not in their order"));
    const open = openClaims(this);
    for (const r of receipts) {
      if (r.claim === null) continue;
      naming(place, r.author, () => need(this.seatOf !== null && open[r.claim].includes(this.seatOf[r.author]), "S03", "a claim that is not open"));
    }
    this.claims = receipts.filter((r) => r.claim !== null);
    this.settled = true;
    handOver(this);
  }

  takeParts(entry, parts) {
    const place = entry.seq;
    naming(place, null, () => {
      const authors = parts.map((p) => p.author);
      need(parts.length === this.n - 1 && authors.every((a, i) => a < this.n && (i === 0 || a > authors[i - 1])), "E02", "the end lacks somebody's part, or has them in another order");
    });
    const absent = this.players.findIndex((_, p) => !parts.some((x) => x.author === p));
    const about = { absent, head: entry.link, seq: place + 1, table: this.T };
    for (const p of parts) {
      naming(place, p.author, () => {
        need(p.author < this.n, "L02", "a part's author does not sit at this table");
        need(partSigned(this.players[p.author].key, about, p.sig), "L03", "a part is not signed by its author");
        need(this.options.away !== "wait", "E03", "the rules do not let players end the table");
      });
    }
    naming(place, null, () => need(this.parting === null, "E03", "one seat is empty already"));
    this.settled = true;
    this.claims = [];
    handOver(this);
    this.parting = about;
    naming(null, null, () => partFrom(this, absent, digest("p2p304 played out", encode(about))));
    if (this.absent) handOver(this);
  }
}

// Adds place and player to a refusal
function naming(place, who, check) {
  try { return check(); } catch (error) {
    if (error instanceof Refusal) { error.place ??= place; error.who ??= who; }
    throw error;
  }
}
