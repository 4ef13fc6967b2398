// Everything about one file: its verdict, the players, the match and its hands, the entries.

import { decode, isBytes, isMap } from "../canonical.mjs";
import { h, lazy, name, svg } from "./dom.mjs";
import { sectionOfCheck } from "./checks.mjs";
import { blockAt, entryView, fields, proof } from "./entry_view.mjs";
import { HandView } from "./hand_view.mjs";
import { People } from "./people.mjs";
import { has, list, number, t, text } from "./words.mjs";

const HANDS_AT_ONCE = 100;
const OUTCOMES = { sound: "good", proven: "bad", "not sound": "bad", nothing: "unclear", unreadable: "unclear" };

export const outcome = (file) => OUTCOMES[file.verdict?.verdict] ?? "unclear";
export const verdictWord = (file) => t({ "not sound": "not_sound", "not implemented": "no_verdict", stopped: "no_verdict" }[file.verdict.verdict] ?? file.verdict.verdict);

export class FileView {
  constructor(file, number, files) {
    Object.assign(this, { file, number, files });
    this.people = file.table ? new People(file.table) : null;
    this.groups = [];
  }

  id(seq) { return `f${this.number}e${seq}`; }

  ref(seq, ...children) {
    const plain = children.length === 0;
    return h("a", { href: `#${this.id(seq)}`, class: plain ? "ref" : null, "data-file": this.number, "data-entry": seq, "aria-label": plain ? text("to_entry", { n: seq }) : null },
      plain ? number(seq) : children);
  }

  element() {
    const { file } = this;
    return h("article", { class: "file", "aria-labelledby": `file-${this.number}` },
      h("h2", { id: `file-${this.number}` }, name(file.name)), this.verdict(), this.save(), this.comparison(), this.contradiction(), this.evidence(),
      this.people ? this.players() : null, this.people || this.entries().length ? this.match() : null);
  }

  // ---- the verdict

  verdict() {
    const { file, people } = this, v = file.verdict, seconds = number(Math.round(v.milliseconds / 100) / 10);
    const lines = { sound: () => this.sound(), "not sound": () => this.notSound(), proven: () => this.proven(), nothing: () => this.nothing(),
      unreadable: () => [h("p", {}, v.place > 0 ? t("breaks_off", { n: v.place - 1 }) : t("unreadable_what")), h("p", {}, h("q", { lang: "en" }, v.sentence)), this.beforeIt()],
      "not implemented": () => [h("p", {}, t("cannot", { sentence: h("q", { lang: "en" }, String(v.sentence)) }))],
      stopped: () => [h("p", {}, t("stopped"))] }[v.verdict] ?? (() => [h("p", {}, t("fault", { sentence: h("q", { lang: "en" }, String(v.sentence)) }))]);
    return h("section", { class: `verdict ${outcome(file)}`, "aria-label": text("verdict"), "data-verdict": v.verdict, "data-check": v.check, "data-place": v.place, "data-who": v.who },
      h("h3", {}, h("span", { class: "sign", "aria-hidden": "true" }, v.verdict === "proven" ? "!" : { good: "✓", bad: "✗", unclear: "?" }[outcome(file)]), " ", verdictWord(file)), lines(),
      v.milliseconds === undefined ? null
        : h("p", { class: "quiet" }, t("took", { entries: file.end?.entries ?? 0, size: Math.ceil(file.bytes.length / 1000), seconds })));
  }

  sound() {
    const { end } = this.file;
    if (end.over && end.partedFrom === null) return [h("p", {}, t("sound_over"))];
    if (end.partedFrom !== null) return [h("p", {}, t(end.isEarly ? "sound_left" : "sound_left_last", { who: this.people.player(end.partedFrom) }), " ", this.ref(end.partedSeq))];
    return [h("p", {}, t("sound_unfinished"))];
  }

  checkLine() {
    const v = this.file.verdict;
    return [h("p", { class: "sentence" }, has(`check_${v.check}`) ? t(`check_${v.check}`) : t(`letter_${v.check[0]}`)), h("p", {}, t("found"), " ", h("q", { lang: "en" }, v.sentence)),
      h("p", { class: "quiet" }, t(`letter_${v.check[0]}`), ". ", t("spec", { section: sectionOfCheck(v.check) }))];
  }

  notSound() {
    const v = this.file.verdict;
    return [h("p", {}, v.place === null ? t("at_no_entry", { check: v.check }) : t("at_entry", { n: this.entries().some((e) => e.seq === v.place) ? this.ref(v.place) : v.place, check: v.check })), this.checkLine(),
      h("p", { class: "blame" }, v.who === null ? t("proves_nobody") : t("proves", { who: this.player(v.who) })), this.beforeIt()];
  }

  player(index) { return this.people ? this.people.player(index) : `${text("player")} ${index + 1}`; }
  beforeIt() { return this.file.verdict.place > 0 ? h("p", { class: "quiet" }, t("before_it", { n: this.file.verdict.place })) : null; }

  proven() {
    const v = this.file.verdict;
    return [h("p", { class: "blame" }, t("proven_who", { who: this.player(v.who), check: v.check })), this.checkLine(), ["L10", "L11", "E06", "E07"].includes(v.check) ? h("p", {}, t("fork_note")) : null];
  }

  nothing() {
    const v = this.file.verdict;
    return [h("p", {}, t("nothing_what", { check: v.check })), this.checkLine()];
  }

  // A file that came with the page can be taken out, and given to a page of one's own
  save() {
    const { file } = this;
    if (!file.embedded) return null;
    const link = h("a", { href: URL.createObjectURL(new Blob([file.bytes])), download: file.name }, t("save"));
    return h("p", { class: "save" }, link, " ", h("span", { class: "quiet" }, t("save_why")));
  }

  // The messages of an evidence file
  evidence() {
    const { bytes, verdict } = this.file;
    if (!verdict.evidence || bytes.length < 12) return null;
    const read = (data) => { try { return decode(data, 1024); } catch { return data; } };
    const map = read(bytes.slice(12, 12 + new DataView(bytes.buffer).getUint32(8)));
    if (!isMap(map) || !isBytes(map.first) || !isBytes(map.second)) return null;
    const part = (key, data) => (data.length === 0 ? null : lazy({}, t(key), () => fields(read(data))));
    return h("section", {}, h("h3", {}, t("evidence_what")), h("p", {}, t("kind"), ": ", h("code", {}, name(String(map.kind)))), part("evidence_first", map.first), part("evidence_second", map.second), this.file.proofs.map(proof));
  }

  comparison() {
    const c = this.file.continued;
    if (!c) return null;
    const other = c.before === null ? null : name(this.files[c.before].name);
    const key = c.before === null ? "continues_missing" : c.check ? "continues_bad" : "continues_ok";
    return h("p", { class: `continued ${c.check ? "bad" : ""}`, "data-continued": c.check ?? (c.before === null ? "missing" : "ok") }, t(key, { file: other, sentence: h("q", { lang: "en" }, c.sentence ?? "") }));
  }

  // Another file of the same table that contradicts this one, and who signed both
  contradiction() {
    const c = this.file.contradiction;
    if (!c) return null;
    const said = [c.fork === null ? null : t("signed_two_entries", { who: this.player(c.fork) }),
      c.split.length === 0 ? null : t("signed_two_receipts", { who: list(c.split.map((p) => this.player(p))) }),
      c.parted.length === 0 ? null : t("signed_two_parts", { who: list(c.parted.map((p) => this.player(p))) }),
      c.played_on.length === 0 ? null : t("signed_played_on", { who: list(c.played_on.map((p) => this.player(p))) })].filter(Boolean);
    return h("p", { class: "continued bad", "data-contradiction": c.place }, t("contradicts", { file: name(this.file.name), other: name(this.files[c.other].name), n: this.ref(c.place) }), " ",
      said.length ? said.map((one) => [one, " "]) : t("signed_two_none"));
  }

  // ---- players

  players() {
    const { table } = this.file, { people } = this;
    const row = (p) => h("tr", {}, h("td", {}, p.seat === null ? "–" : people.seatName(p.seat)), h("th", { scope: "row" }, name(p.nick), p.bot ? h("span", { class: "quiet" }, ` (${text("bot")})`) : null),
      h("td", {}, h("code", { class: "fingerprint" }, p.key.slice(0, 16).replace(/(....)/g, "$1 ").trim())));
    const players = [...table.players].sort((a, b) => (a.seat ?? 9) - (b.seat ?? 9));
    return h("section", { class: "players" }, h("h3", {}, this.file.verdict.evidence ? t("evidence_table") : t("table", { name: name(table.name) })),
      h("p", { class: "quiet" }, t("rules_of", { preset: name(String(table.options.preset)) }), " ", this.ref(0)),
      table.code ? h("div", { class: "code" }, h("p", {}, t("code"), " ", h("strong", {}, table.code), " ", this.ref(table.seats)), h("p", { class: "quiet" }, t("code_what"))) : h("p", {}, t("no_seats")),
      h("table", { class: "people" }, h("caption", {}, t("players"), " ", this.ref(0)), h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("seat")), h("th", { scope: "col" }, t("player")), h("th", { scope: "col" }, t("fingerprint")))),
        h("tbody", {}, players.map(row))), h("p", { class: "quiet" }, t("fingerprint_what")));
  }

  // ---- the match

  match() {
    const { file } = this, { hands, end } = file, outcome = end?.over ? this.outcome() : [];
    const box = h("section", { class: "match" }, h("h3", {}, t("match")),
      outcome.length ? h("p", { class: "winner" }, outcome, " ", this.ref(end.entries - 1)) : null,
      hands.some((hand) => hand.tokens) ? this.tokens() : null, this.beginning());
    this.addHands(box, 0);
    return box;
  }

  // Who has won; a session is won with the most, and where only the hands are over, one account may be ahead
  outcome() {
    const { people } = this, { end, table } = this.file, said = (key, account) => t(key, { who: people.side(people.accounts[account]) });
    const most = Math.max(...end.tokens), first = end.tokens.filter((n) => n === most).length === 1 ? end.tokens.indexOf(most) : null;
    const games = table.options.tenths === "on" ? [" ", ...t("games_won", { each: list(people.accounts.map((seats, a) => [...[people.side(seats)].flat(), ` ${number(end.games[a])}`])) })] : [];
    if (end.winner !== null) return [...said("winner", end.winner), ...games];
    if (end.isEarly) return games;
    if (first !== null && table.options.match === "session") return [...said("winner", first), ...games];
    return [...t("hands_played"), ...(first === null ? [] : [" ", ...said("ahead", first)]), ...games];
  }

  tokens() {
    const { people } = this, hands = this.file.hands.filter((hand) => hand.tokens), points = people.table.options.score === "online";
    const start = hands[0].before ?? hands[0].tokens.map(() => 0), rows = [start, ...hands.map((hand) => hand.tokens)];
    const label = (a) => people.side(people.accounts[a]);
    return h("div", { class: "tokens" }, chart(rows, text(points ? "points_over" : "tokens_over")),
      h("div", { class: "rows", tabindex: rows.length > 12 ? "0" : null, role: rows.length > 12 ? "region" : null, "aria-label": rows.length > 12 ? text(points ? "points_over" : "tokens_over") : null },
        h("table", {}, h("caption", {}, t(points ? "points_over" : "tokens_over")),
        h("thead", {}, h("tr", {}, h("th", { scope: "col" }, t("hand", { n: "" })), start.map((_, a) => h("th", { scope: "col", class: `account-${a % 8}` }, h("span", { class: "key", "aria-hidden": "true" }), label(a))))),
        h("tbody", {}, rows.slice(-200).map((row, i, all) => {
          const at = i + rows.length - all.length;
          return h("tr", {}, h("th", { scope: "row" }, at === 0 ? t("start") : this.ref(hands[at - 1].last, number(hands[at - 1].number))), row.map((n) => h("td", {}, number(n))));
        })))));
  }

  beginning() {
    const last = (this.file.hands[0]?.first ?? Infinity) - 1;
    return this.entryList(0, last, "beginning");
  }

  addHands(box, from) {
    const { hands, verdict } = this.file;
    hands.slice(from, from + HANDS_AT_ONCE).forEach((hand, i) => {
      const index = from + i, view = new HandView(this.people, hand, (seq, ...children) => this.ref(seq, ...children));
      const faulty = verdict.place !== null && verdict.place !== undefined && index === hands.length - 1;
      const until = index + 1 < hands.length ? hands[index + 1].first - 1 : Infinity;
      const element = lazy({ class: "hand", open: index === 0 || faulty }, h("h4", { class: "hand-title" }, view.summary()), () => [...view.content().filter(Boolean), this.entryList(hand.first, until, "entries_of")]);
      this.groups.push({ first: hand.first, until, element });
      box.append(element);
    });
    const left = hands.length - from - HANDS_AT_ONCE;
    if (left > 0) {
      const more = h("button", { type: "button", onclick: () => { more.remove(); this.addHands(box, from + HANDS_AT_ONCE); } }, t("more_hands", { n: Math.min(left, HANDS_AT_ONCE) }));
      box.append(more);
    }
    this.showMore = left > 0 ? () => box.lastElementChild.click() : null;
  }

  // The entries of these places, made when they are opened
  entryList(first, until, title) {
    const all = this.entries(), { file } = this;
    const own = all.filter((e) => e.seq >= first && e.seq <= until);
    if (own.length === 0) return null;
    const words = title === "beginning" ? t("beginning") : t("entries_of", { first, last: own.at(-1).seq });
    const element = lazy({ class: "entries" }, words, () => own.map((item) =>
      entryView(item, item.state ?? "verified", { id: this.id(item.seq), people: this.people, bytes: file.bytes, kept: item.seq < 20000 })));
    this.groups.push({ first, until, element, entries: true });
    return element;
  }

  // What the worker told, and the entry that was refused
  entries() {
    if (this.all) return this.all;
    const { file } = this, last = file.entries.at(-1), at = last ? last.at + last.size : (file.start ?? 8);
    this.all = [...file.entries];
    const block = file.verdict.verdict === "not sound" && !file.verdict.evidence && this.all.length <= (file.verdict.place ?? -1) ? blockAt(file.bytes, at) : null;
    if (block) this.all.push({ seq: file.verdict.place, author: block.entry.author, kind: block.entry.kind, at, proofs: file.proofs, receipts: [], parts: [],
      state: file.end && file.end.entries > file.verdict.place ? "not_settled" : "refused" });
    return this.all;
  }

  // Opens what hides an entry, and goes there
  reveal(seq) {
    const open = (wanted) => {
      const group = this.groups.find((g) => Boolean(g.entries) === wanted && g.first <= seq && seq <= g.until);
      group?.element.show();
      return group;
    };
    while (!open(false) && this.showMore && seq >= (this.file.hands[0]?.first ?? 0)) this.showMore();
    open(true);
    const entry = document.getElementById(this.id(seq));
    if (!entry) return;
    entry.show();
    entry.scrollIntoView({ block: "start" });
    entry.querySelector("summary").focus();
  }
}

// Tokens over time: a line for each account
function chart(rows, label) {
  const W = 320, H = 120, pad = 8, low = Math.min(0, ...rows.flat()), high = Math.max(1, ...rows.flat());
  const x = (i) => pad + (i * (W - 2 * pad)) / Math.max(1, rows.length - 1), y = (n) => H - pad - ((n - low) * (H - 2 * pad)) / (high - low);
  const lines = rows[0].map((_, a) => {
    const points = rows.map((row, i) => `${x(i).toFixed(1)},${y(row[a]).toFixed(1)}`).join(" ");
    return [svg("polyline", { points, class: `line account-${a % 8}` }), rows.length <= 40 ? rows.map((row, i) => svg("circle", { cx: x(i).toFixed(1), cy: y(row[a]).toFixed(1), r: 3, class: `dot account-${a % 8}` })) : null];
  });
  return svg("svg", { viewBox: `0 0 ${W} ${H}`, class: "chart", role: "img", "aria-label": label }, svg("line", { x1: pad, x2: W - pad, y1: y(0), y2: y(0), class: "axis" }), lines);
}
