// JSON as hand records have it (SPEC.md, record.json): what JSON.parse takes, but no name twice in one object, which is refused
// at the end of that object, before an error of JSON behind it.

import { must } from "./hand.mjs";

const TOKEN = /[ \t\n\r]*([{}[\],:]|"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"|-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null|$)/y;
const MOST_LEVELS = 100;

export function readJson(text) {
  const token = new RegExp(TOKEN);
  let next;
  const need = (condition) => must(condition, "record.json", "this is not JSON");
  const go = () => { const found = token.exec(text), now = next; need(found !== null); next = found[1]; return now; };
  const take = (sign) => { need(next === sign); go(); };

  function members(end, one) {
    const found = [];
    go();
    if (next !== end) { found.push(one()); while (next === ",") { go(); found.push(one()); } }
    return found;
  }
  function value(level) {
    need(level <= MOST_LEVELS);
    if (next === "{") {
      const pairs = members("}", () => { need(next.startsWith('"')); const name = JSON.parse(go()); take(":"); return [name, value(level + 1)]; });
      need(next === "}");
      must(new Set(pairs.map(([name]) => name)).size === pairs.length, "record.fields", "a name stands twice");
      go();
      return Object.fromEntries(pairs);
    }
    if (next === "[") {
      const list = members("]", () => value(level + 1));
      take("]");
      return list;
    }
    need(!/^[}\],:]?$/.test(next));
    // a number with a point or an exponent is no number here: it becomes one that no option has
    return /^[-0-9].*[.eE]/.test(next) ? (go(), 0.5) : JSON.parse(go());
  }

  go();
  const found = value(1);
  need(next === "" && token.lastIndex === text.length);
  must(found !== null && typeof found === "object" && !Array.isArray(found), "record.json", "this is no object");
  return found;
}
