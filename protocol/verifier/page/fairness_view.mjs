// "Fairness in numbers": the counts of fairness.mjs as tables with small drawings.

import { h, lazy, name, svg } from "./dom.mjs";
import { suitName } from "./cards.mjs";
import { collections, isOutside, tablesOf } from "./fairness.mjs";
import { number, t, text } from "./words.mjs";

const WIDTH = 120;

// null if nothing can be counted
export function fairness(files) {
  const { tables, left } = tablesOf(files);
  if (tables.length === 0) return null;
  return lazy({ class: "fairness" }, t("fairness"), () => [
    h("p", {}, t("fairness_what")), h("p", {}, t("fairness_unseen")), collections(tables).map(collection),
    left.length === 0 ? null : h("ul", { class: "quiet" }, left.map(({ file, why }) => h("li", {}, name(file.name), ": ", t(why)))),
    h("p", { class: "quiet" }, t("fairness_tests"))]);
}

function collection(one) {
  const bands = one.rows.filter((row) => row.least !== null), outside = bands.filter(isOutside).length, dealt = one.hands.length;
  const verdict = bands.length === 0 ? t("fairness_few", { needed: 10 * one.seats }) : outside === 0 ? t("fairness_inside") : t("fairness_outside", { n: outside });
  return h("section", {}, h("h3", {}, t("fairness_of", { seats: one.seats, cards: one.cards.length, games: [...one.games].sort().join(", ") })),
    h("p", {}, t("fairness_hands", { tables: one.tables, dealt, seen: one.seen })), h("p", { class: outside ? "error" : null }, verdict),
    ["place", "seat"].map((by) => [h("h4", {}, t(`by_${by}`)), h("div", { class: "counts" }, [...new Set(one.rows.map((row) => row.of))].map((of) => table(one, of, by)))]));
}

function table(one, of, by) {
  const rows = one.rows.filter((row) => row.of === of && row.by === by), top = Math.max(1, ...rows.flatMap((row) => [row.count, row.expected, row.most ?? 0]));
  const head = ["", "", "fair_count", "fair_expected", "fair_band"].map((key) => (key ? h("th", { scope: "col" }, t(key)) : h("td", {})));
  return h("table", { "data-of": of, "data-by": by }, h("caption", {}, t("of_by", { of: what(of), by: text(`by_${by}`) })), h("thead", {}, h("tr", {}, head)),
    h("tbody", {}, rows.map((row) => h("tr", { class: isOutside(row) ? "outside" : null }, h("th", { scope: "row" }, holder(one, row)), h("td", {}, drawing(row, top)),
      h("td", {}, number(row.count), isOutside(row) ? [" ", t("fair_out")] : null), h("td", {}, number(row.expected)),
      h("td", {}, row.least === null ? t("fair_no_band") : t("fair_from_to", { least: row.least, most: row.most }))))));
}

const what = (of) => (of === "J" || of === "9" ? text(`rank_${of}`) : suitName(of));

function holder(one, { by, holder }) {
  if (by === "seat") return one.seats === 4 ? text(`seat_${"SENW"[holder]}`) : text("seat_n", { n: holder + 1 });
  return holder === one.seats - 1 ? text("the_dealer") : text("place_n", { n: holder + 1 });
}

// The count as a bar, on its band; a stroke where honest deals have it on average. The numbers stand beside it
function drawing({ count, expected, least, most }, top) {
  const x = (value) => ((value * (WIDTH - 2)) / top).toFixed(1);
  return svg("svg", { viewBox: `0 0 ${WIDTH} 16`, class: "count", "aria-hidden": "true" },
    least === null ? null : svg("rect", { x: x(least), y: 0, width: x(most - least), height: 16, class: "band" }),
    svg("rect", { x: 0, y: 5, width: x(count), height: 6, class: "amount" }), svg("rect", { x: x(expected), y: 1, width: 2, height: 14, class: "expected" }));
}
