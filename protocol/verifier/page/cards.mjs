// A card as people read it: rank and suit, with its name in words for screen readers.

import { h } from "./dom.mjs";
import { t, text } from "./words.mjs";

const GLYPHS = { S: "♠", H: "♥", D: "♦", C: "♣" };

export const suitName = (suit) => text(suit);
const rankName = (rank) => (["J", "A", "K", "Q"].includes(rank) ? text(rank) : rank === "T" ? "10" : rank);
export const cardName = (card) => text("card", { rank: rankName(card[0]), suit: suitName(card[1]) });

export const isCard = (card) => typeof card === "string" && /^[23456789TJQKA][SHDC]$/.test(card);

export function cardElement(card, more = {}) {
  if (!isCard(card)) return h("span", { class: "card back", role: "img", "aria-label": text("face_down"), ...more }, h("span", { "aria-hidden": "true" }, "?"));
  return h("span", { class: `card suit-${card[1]}`, role: "img", "aria-label": cardName(card), ...more },
    h("span", { "aria-hidden": "true" }, card[0] === "T" ? "10" : card[0], h("span", { class: "glyph" }, `${GLYPHS[card[1]]}\ufe0e`)));
}

// Suits in printed order, strong cards first, as people hold them
const ORDER = "23J9ATKQ876";
export const sortCards = (list) => [...list].sort((a, b) => "SHDC".indexOf(a.card[1]) - "SHDC".indexOf(b.card[1]) || ORDER.indexOf(a.card[0]) - ORDER.indexOf(b.card[0]));

export const suitElement = (suit) => h("span", { class: `suit-${suit}` }, h("span", { class: "glyph", "aria-hidden": "true" }, `${GLYPHS[suit]}\ufe0e `), t(suit));
