// One entry of the log: a line, and behind it its fields, signatures, proofs with their equations, and its bytes.

import { decode } from "../canonical.mjs";
import { toHex } from "../bytes.mjs";
import { readEntry } from "../log/messages.mjs";
import { h, lazy, name } from "./dom.mjs";
import { cardElement, isCard } from "./cards.mjs";
import { proofOf, sectionOfKind } from "./checks.mjs";
import { bidWord } from "./hand_view.mjs";
import { list, number, t, text } from "./words.mjs";

const MOST_BYTES = 32768; // of one entry, shown in hexadecimal

// The block that begins at `at`: its bytes and its entry, or null where it cannot be read
export function blockAt(bytes, at) {
  if (at + 4 > bytes.length) return null;
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);
  if (size > 128 * 1024 || at + 4 + size > bytes.length) return null;
  try {
    const map = decode(bytes.slice(at + 4, at + 4 + size));
    return { entry: readEntry(map.entry), bytes: map.entry, size: size + 4 };
  } catch { return null; }
}

const spec = (section) => h("span", { class: "quiet" }, t("spec", { section }));

// `item`: what the worker told of it; `state`: verified, refused, not_settled
export function entryView(item, state, { id, people, bytes, kept }) {
  const who = people ? people.player(item.author) : `${text("player")} ${item.author + 1}`;
  const read = () => blockAt(bytes, item.at);
  const line = [h("span", { class: "seq" }, number(item.seq)), " ", who, " ", h("span", { class: "did" }, did(item, read, people)), " ",
    h("span", { class: `state ${state}`, "aria-label": text(state), role: "img" }, state === "verified" ? "✓" : "✗", h("span", { class: "word" }, " ", t(state)))];
  return lazy({ id, class: "entry", "data-seq": item.seq }, line, () => inside(item, state, read(), people, who, kept));
}

const QUIET = new Set(["agreement", "draw", "shuffle", "cut", "unlock", "relock", "redeal", "indicator", "closed", "down", "inspect", "announce", "count", "caps", "spoilt", "ask",
  "marriage", "exchange", "stand_in"]);

function did(item, read, people) {
  if (QUIET.has(item.kind)) return t(`kind_${item.kind}`);
  const body = read()?.entry.body ?? {};
  if ((item.kind === "play" || item.kind === "open") && isCard(body.card)) return t(`kind_${item.kind}`, { card: cardElement(body.card) });
  if (item.kind === "say" && typeof body.word === "string") return t("kind_say", { word: name(bidWord(body.word, people)) });
  return t("kind_", { kind: name(String(item.kind)) });
}

const row = (term, ...what) => h("div", {}, h("dt", {}, t(term)), h("dd", {}, ...what));
const hex = (text) => h("code", { class: "hex" }, text);

function inside(item, state, block, people, who, kept) {
  const { entry } = block ?? {}, parts = [];
  parts.push(h("dl", { class: "facts" }, row("author", who.cloneNode ? who.cloneNode(true) : who), row("kind", h("code", {}, name(String(item.kind))), " ", spec(sectionOfKind(item.kind))),
    row("place", number(item.seq)), entry ? row("hash", hex(toHex(entry.link))) : null, entry ? row("prev", hex(toHex(entry.prev))) : null,
    block ? row("size_of", t("bytes", { n: block.bytes.length })) : null));
  if (state === "verified") parts.push(h("p", { class: "title" }, t("signatures")), signatures(item, people));
  parts.push(h("p", { class: "title" }, t("proofs")), item.proofs.length ? item.proofs.map(proof) : h("p", { class: "quiet" }, t(kept ? "no_proofs" : "not_kept")));
  if (entry) parts.push(h("p", { class: "title" }, t("fields")), fields(entry.body), lazy({ class: "raw" }, t("raw"), () => raw(block.bytes)));
  return parts;
}

function signatures(item, people) {
  const names = (authors) => list(authors.map((a) => [people ? people.player(a) : String(a + 1)]));
  return h("ul", { class: "checks" }, h("li", {}, t("sig_ok")), h("li", {}, t("prev_ok")), item.seq > 0 ? h("li", {}, t("turn_ok")) : null,
    item.receipts.length ? h("li", {}, t("receipts_ok", { n: item.receipts.length, who: names(item.receipts.map((r) => r.author)) })) : null,
    item.receipts.filter((r) => r.claim !== null).map((r) => h("li", {}, names([r.author]), " ", t("claim", { claim: r.claim }))),
    item.parts.length ? h("li", {}, t("parts_ok", { who: names(item.parts) })) : null);
}

export function proof({ word, holds, lines }) {
  const { check, section } = proofOf(word);
  return h("div", { class: "proof" }, h("p", {}, h("b", {}, word), " ", t("check", { check }), ", ", spec(section), " ",
    h("span", { class: `state ${holds ? "verified" : "refused"}` }, t(holds ? "holds" : "fails"))), h("pre", { tabindex: "0" }, lines.join("\n")));
}

// A body as it was decoded: at most 1024 items, eight deep
export function fields(value) {
  if (value === null) return h("span", { class: "quiet" }, "–");
  if (value instanceof Uint8Array) return hex(toHex(value));
  if (Array.isArray(value)) return value.length === 0 ? h("span", { class: "quiet" }, "[ ]") : h("ol", { class: "values" }, value.map((v) => h("li", {}, fields(v))));
  if (typeof value === "object") return h("dl", { class: "facts" }, Object.entries(value).map(([key, v]) => h("div", {}, h("dt", {}, name(key)), h("dd", {}, fields(v)))));
  return name(String(value));
}

function raw(bytes) {
  const rows = [], end = Math.min(bytes.length, MOST_BYTES);
  for (let at = 0; at < end; at += 16)
    rows.push(`${at.toString(16).padStart(5, "0")}  ${toHex(bytes.subarray(at, Math.min(at + 16, end))).replace(/(..)/g, "$1 ").trim()}`);
  if (end < bytes.length) rows.push(text("too_long", { n: bytes.length - end }));
  return h("pre", { class: "hex", tabindex: "0" }, rows.join("\n"));
}
