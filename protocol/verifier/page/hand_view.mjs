// One hand of the match: cards, bids, tricks, result. Each fact is a link to the entry that proves it.

import { bidText } from "../rules/text.mjs";
import { h } from "./dom.mjs";
import { cardElement, cardName, isCard, sortCards, suitElement } from "./cards.mjs";
import { list, number, t, text } from "./words.mjs";

// A bid in words. Where the game counts in tenths, people say 1.6 for 160; `people` is null before the table is known.
export function bidWord(value, people) {
  if (["pcc", "halfcourt", "fullcourt"].includes(value)) return text(value);
  return people?.table.options.tenths === "on" && /^[0-9]+$/.test(value) ? bidText(people.table.options, Number(value)) : String(value);
}

export class HandView {
  // `ref(seq, ...children)` makes a link to an entry
  constructor(people, hand, ref) { Object.assign(this, { people, hand, ref }); }

  // the line that names the hand before it is opened
  summary() {
    const { hand, people } = this;
    return [h("span", { class: "hand-number" }, t(hand.isAgain ? "hand_again" : hand.deal === hand.number ? "hand" : "hand_deal", { n: hand.number, deal: hand.deal })), " ", h("span", { class: "hand-result" }, hand.end ? this.result()[0] : t("unfinished")),
      hand.tokens ? h("span", { class: "hand-tokens" }, people.accounts.map((_, a) => number(hand.tokens[a])).join(" : ")) : null];
  }

  content() {
    return [this.cards(), this.bidding(), this.tricks(), this.ending()];
  }

  cards() {
    const { hand, people } = this;
    if (!hand.dealt || hand.hands.every((own) => own.length === 0)) return null;
    const row = (own, seat) => {
      const shown = sortCards(own.filter((c) => isCard(c.card))), hidden = own.length - shown.length;
      return h("tr", {}, h("th", { scope: "row" }, people.on(seat)), h("td", { class: "cards" },
        shown.map((c) => [this.cardLink(c.card, c.seq), " "]), hidden ? h("span", { class: "quiet" }, t("n_not_shown", { n: hidden })) : null));
    };
    return h("section", {}, h("h5", {}, t("cards")), h("table", { class: "held", "aria-label": text("cards") }, h("tbody", {}, hand.hands.map(row))));
  }

  cardLink(card, seq, label = null) {
    if (seq === null) return cardElement(card);
    const a = this.ref(seq, cardElement(card));
    a.classList.add("card-link");
    a.setAttribute("aria-label", `${label ?? (isCard(card) ? cardName(card) : text("face_down"))}, ${text("to_entry", { n: seq })}`);
    return a;
  }

  bidding() {
    const { hand, people } = this;
    const lines = hand.said.filter((s) => s.kind !== "cut" && s.tricks === 0);
    return h("section", {}, h("h5", {}, t("bidding")), h("p", {}, t("deals", { who: people.on(hand.dealer) }), " ", this.ref(hand.first - 1), hand.idle.map((seat) => [" ", ...t("sits_out", { who: people.on(seat) })])),
      hand.absent === null ? null : h("p", {}, t("absent", { who: people.on(hand.absent) }), " ", this.ref(hand.partedSeq)),
      lines.length === 0 ? (hand.end ? h("p", { class: "quiet" }, t("nobody_bid")) : null)
        : h("ol", { class: "said" }, lines.map((s) => h("li", {}, people.on(s.seat), " ", said(s, people), " ", this.ref(s.seq)))));
  }

  tricks() {
    const { hand, people } = this;
    if (hand.tricks.length === 0) return h("section", {}, h("h5", {}, t("tricks")), h("p", { class: "quiet" }, t("no_tricks")));
    const spoken = (i) => hand.said.filter((s) => s.tricks === i + 1);
    return h("section", {}, h("h5", {}, t("tricks")), h("p", { class: "quiet", "aria-hidden": "true" }, t("legend")), h("div", { class: people.table.seats > 4 ? "tricks many" : "tricks" }, hand.tricks.map((trick, i) => {
      const words = trick.winner === null ? t("unfinished_trick")
        : t(trick.points === null ? "won_by_" : "won_by", { who: people.nick(trick.winner), points: trick.points === null ? "" : this.points(trick.points) });
      return h("figure", { class: "trick" }, h("figcaption", {}, h("b", {}, t("trick", { n: i + 1 })), " ", words, trick.seq === null ? null : [" ", this.ref(trick.seq)]), this.cross(trick),
        spoken(i).map((s) => h("p", { class: "spoken" }, people.nick(s.seat), " ", said(s, people), " ", this.ref(s.seq))));
    })));
  }

  // The cards of a trick around the table, South below, in the order of play counter-clockwise
  cross(trick) {
    const { people } = this, n = people.table.seats;
    return h("ol", { class: `cross seats-${n}` }, trick.plays.map((p, i) => {
      const angle = Math.PI / 2 - (2 * Math.PI * p.seat) / n;
      const notes = [p.down ? text("was_down") : null, p.indicator ? text("is_indicator") : null].filter(Boolean);
      const label = `${people.on(p.seat).textContent}: ${isCard(p.card) ? cardName(p.card) : text("face_down")}${notes.map((x) => `, ${x}`).join("")}`;
      const item = h("li", { class: [p.seat === trick.winner ? "wins" : "", i === 0 ? "leads" : "", p.down ? "down" : ""].join(" ").trim() || null },
        this.cardLink(p.card, p.seq, label), h("span", { class: "by", "aria-hidden": "true" }, people.nick(p.seat)));
      item.style.left = `${50 + 36 * Math.cos(angle)}%`;
      item.style.top = `${50 + 35 * Math.sin(angle)}%`;
      return item;
    }));
  }

  ending() {
    const { hand } = this;
    const lines = hand.end ? this.result() : [t("unfinished")];
    const details = [];
    if (hand.maker !== null && hand.bid) {
      const how = hand.choice ? [" (", t(hand.choice === "open" ? "open_trump" : "closed_trump"), ")"] : null;
      details.push(h("p", {}, hand.trump ? [t("trumps", { suit: suitElement(hand.trump) }), how, hand.trumpSeq === null ? null : [" ", this.ref(hand.trumpSeq)]] : t("trumps_hidden")));
    }
    const points = hand.end?.kind === "played" && !hand.end.allTricks && typeof hand.bid.value === "number" ? this.bar() : null;
    return h("section", {}, h("h5", {}, t("result")), details, points, lines.map((line) => h("p", {}, line, hand.end ? [" ", this.ref(hand.last)] : null)), hand.tokens ? h("p", {}, this.change(), " ", this.ref(hand.last)) : null);
  }

  bar() {
    const { value } = this.hand.bid, { points, total } = this.hand.end, full = Math.max(total, points, value, 1);
    const part = (x) => `${(100 * Math.max(0, x)) / full}%`;
    const got = h("span", { class: points >= value ? "got made" : "got" }), mark = h("span", { class: "mark" });
    got.style.width = part(points);
    mark.style.left = part(value);
    const label = text("bar", { bid: bidWord(value, this.people), points: this.points(points), total: this.points(total) });
    return h("div", { class: "bar-line" }, h("div", { class: "bar", role: "img", "aria-label": label }, got, mark), h("span", { "aria-hidden": "true" }, label));
  }

  points(n) { return this.people.table.options.tenths === "on" ? (n / 10).toFixed(1) : number(n); }

  result() {
    const { hand, people } = this, { end } = hand, who = () => people.on(end.seat);
    switch (end.kind) {
      case "passed": return [t("end_passed")];
      case "redeal": return [t("end_redeal", { who: people.on(hand.said.findLast((s) => s.kind === "redeal")?.seat ?? 0) })];
      case "spoilt": return [t("end_spoilt")];
      case "spoilt.false": return [t("end_spoilt_false", { who: who() })];
      case "left": return [t("end_left", { who: who() })];
      case "breach": return [t("end_breach", { who: who(), sentence: h("q", { lang: "en" }, end.sentence) })];
      default: return this.played();
    }
  }

  played() {
    const { hand, people } = this, { end } = hand, side = people.side(end.makers), bid = bidWord(hand.bid.value, people), out = [], { made } = end;
    if (end.allTricks) out.push(t(made ? "made_all" : "failed_all", { side, bid }));
    else out.push(t(made ? "made" : "failed", { side, bid, points: this.points(end.points) }));
    if (end.caps) {
      const key = `caps_${end.caps.verdict}`, who = people.on(end.caps.by);
      out.push(t(text(key) === key ? "caps_wrong" : key, { who, since: this.since(end.caps.since ?? "") }));
    }
    if (end.doubled !== null && end.doubled !== undefined) out.push(t("doubled", { side: people.side(people.sideOf(end.doubled)) }));
    return out;
  }

  // When a call of Caps was due, as the rules say it: "before the first lead", "trick 3, after E 8H"
  since(words) {
    const [, n, seat, down, card] = /^trick ([0-9]+), after (?:its announcement|(\w+) (?:(a card face down)|(\w\w)))$/.exec(words) ?? [];
    if (n === undefined) return h("span", {}, t("since_start"));
    if (seat === undefined) return h("span", {}, t("since_announced", { n }));
    const number = this.people.table.seats === 4 ? "SENW".indexOf(seat) : Number(seat) - 1;
    return h("span", {}, t(down ? "since_down" : "since_card", { n, who: this.people.nick(number), card: down ? "" : cardElement(card) }));
  }

  change() {
    const { hand, people } = this, before = hand.before ?? hand.tokens.map(() => 0);
    const each = people.accounts.map((seats, a) => {
      const by = hand.tokens[a] - before[a];
      return [...people.side(seats), ` ${number(hand.tokens[a])}${by ? ` (${by > 0 ? "+" : "−"}${number(Math.abs(by))})` : ""}`];
    });
    return t(people.table.options.score === "online" ? "points_now" : "tokens_now", { each: list(each) });
  }
}

function said({ kind, word, at }, people) {
  if (kind === "say") {
    if (["pass", "ask", "double", "keep"].includes(word)) return t(`say_${word}`);
    if (word.startsWith("partner ")) return t("say_partner", { card: cardElement(word.slice(8)) });
    return t("say_bid", { bid: bidWord(word, people) });
  }
  if (kind === "ask") return t("say_asks");
  if (kind === "marriage") return t("say_marriage", { suit: suitElement(word) });
  return t(`say_${kind}`, { at });
}
