// JSON with what JSON.parse does not see: a name that stands twice in one object, and records that are too long.

import { must } from "./hand.mjs";

// A walk over text that JSON.parse has accepted: the names of each open object.
function namesTwice(text) {
  const open = [];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/g)) {
    if (token === "{") open.push(new Set());
    else if (token === "[") open.push(null);
    else if (token === "}" || token === "]") open.pop();
    else if (token.endsWith(":")) {
      const name = JSON.parse(token.slice(0, token.lastIndexOf('"') + 1)), names = open.at(-1);
      if (names.has(name)) return true;
      names.add(name);
    }
  }
  return false;
}

export function readJson(text) {
  must([...text].length <= 65536, "record.size", "more than 65,536 characters");
  let value;
  try { value = JSON.parse(text); } catch { must(false, "record.json", "this is not JSON"); }
  must(value !== null && typeof value === "object" && !Array.isArray(value), "record.json", "this is no object");
  must(!namesTwice(text), "record.fields", "a name stands twice");
  return value;
}
