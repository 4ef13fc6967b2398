#!/usr/bin/env node
// node unicode_14_build.mjs [FILE]: writes unicode_14.mjs, what names depend on in Unicode 14.0. Its data come from a package of 35 MB, so
// nothing else asks for it: npm install --no-save @unicode/unicode-14.0.0@2.0.7

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const HIDDEN = ["Control", "Format", "Surrogate", "Private_Use", "Unassigned", "Line_Separator", "Paragraph_Separator", "Space_Separator"];
const MARKS = ["Nonspacing_Mark", "Enclosing_Mark"];

// Base 36, in turn: how many code points are not of these categories, and how many are
async function lengths(categories) {
  const runs = [];
  for (const category of categories) runs.push(...(await import(`@unicode/unicode-14.0.0/General_Category/${category}/ranges.mjs`)).default);
  runs.sort((a, b) => a.begin - b.begin);
  const edges = [0];
  for (const { begin, end } of runs) {
    if (begin === edges.at(-1) && edges.length > 1) edges[edges.length - 1] = end;
    else edges.push(begin, end);
  }
  return edges.slice(1).map((edge, i) => (edge - edges[i]).toString(36)).join(" ").replace(/(.{1,120})(?: |$)/g, "$1\n").trim();
}

const text = `// Written by unicode_14_build.mjs. Unicode 14.0 in base 36, in turn: how many code points are not of the categories, and how many are.

// Cc, Cf, Cs, Co, Zl, Zp, Zs; and Cn, what is not assigned
export const HIDDEN = \`${await lengths(HIDDEN)}\`;

// Mn, Me
export const MARKS = \`${await lengths(MARKS)}\`;
`;
writeFileSync(process.argv[2] ?? fileURLToPath(new URL("unicode_14.mjs", import.meta.url)), text);
