// The words of the page in the chosen language: `t("key", {who: node})` gives a list of texts and nodes.

import en from "./lang/en.mjs";
import si from "./lang/si.mjs";
import ta from "./lang/ta.mjs";

const LANGUAGES = { en, si, ta };
let chosen = "en";

export const languages = Object.entries(LANGUAGES).map(([code, words]) => ({ code, name: words.language }));
export const language = () => chosen;

export function choose(code) {
  chosen = code in LANGUAGES ? code : "en";
  document.documentElement.lang = chosen;
}

// The language for which the page was made, if any, or the first of the browser's languages that there is
export const preferred = () => [document.documentElement.dataset.language ?? "", ...(navigator.languages ?? [navigator.language ?? "en"])]
  .map((l) => l.slice(0, 2)).find((l) => l in LANGUAGES) ?? "en";

export function t(key, parts = {}) {
  const pattern = LANGUAGES[chosen][key] ?? en[key] ?? key;
  return pattern.split(/(\{\w+\})/).filter(Boolean).flatMap((piece) => {
    const slot = /^\{(\w+)\}$/.exec(piece);
    if (!slot || !(slot[1] in parts)) return [piece];
    const value = parts[slot[1]];
    return Array.isArray(value) ? value : [typeof value === "number" ? number(value) : value];
  });
}

export const has = (key) => key in en;

// The same as one text, for labels
export const text = (key, parts = {}) => t(key, parts).map((p) => (typeof p === "string" ? p : p.textContent)).join("");

export const number = (n) => n.toLocaleString(chosen === "en" ? "en" : `${chosen}-LK`, { maximumFractionDigits: 2 });

// Things one after the other, with commas between
export const list = (items) => items.flatMap((item, i) => (i === 0 ? [item] : [", ", item])).flat();
